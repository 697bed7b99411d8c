package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static dev.pitwall.journey.operator.PaperCluster.yaml;
import static org.assertj.core.api.Assertions.assertThat;

/** Where an object stands between before and after, where the one has more items in a list than the other. */
class ManifestMakingTest {
    private static final ObjectRef NODE = ObjectRef.of(ObjectType.NODE, "gpu-a");
    private static final String ONE = "{spec: {taints: [{key: gpu}]}}";
    private static final String TWO = "{spec: {taints: [{key: gpu}, {key: team}]}}";
    private final Patience patience = new Patience(() -> Instant.EPOCH, time -> { }, Duration.ofSeconds(2), Duration.ofMinutes(5),
            Duration.ofMinutes(3));
    private final PaperCluster cluster = new PaperCluster();

    private ManifestMaking making(String before, String after) {
        return new ManifestMaking(new ManifestChange("paper", NODE, Optional.of(yaml(before)), Optional.of(yaml(after)), Risk.NONE, ""),
                cluster, patience);
    }

    private JsonNode taints() throws Exception {
        return cluster.get(NODE).orElseThrow().at("/spec/taints");
    }

    @Test
    void anItemThatIsToGoIsTakenOutOfItsList() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: gpu-a}, spec: {taints: [{key: gpu}, {key: team}]}}");
        ManifestMaking making = making(TWO, ONE);
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        making.make(Optional.empty());

        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(taints()).isEqualTo(yaml("[{key: gpu}]"));
    }

    @Test
    void theLastItemThatIsToGoIsTakenOutToo() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: gpu-a}, spec: {taints: [{key: gpu}]}}");
        ManifestMaking making = making(ONE, "{spec: {taints: []}}");
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        making.make(Optional.empty());

        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);
    }

    @Test
    void anItemThatWasAddedIsThereAndWhatOthersAddedBesideItDoesNotMatter() throws Exception {
        cluster.with(ObjectType.NODE, "{metadata: {name: gpu-a}, spec: {taints: [{key: gpu}, {key: else}, {key: team}]}}");

        assertThat(making(ONE, TWO).standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(making(ONE, "{spec: {taints: [{key: gpu}, {key: other}]}}").standing(Optional.empty())).isEqualTo(Standing.BEFORE);
    }
}
