package dev.pitwall.doctor.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.ObjectRef;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.operator.PaperCluster;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A look at a site asks each of its systems for a thing once, and writes nothing. */
class ReadOnceTest {
    private final PaperCluster cluster = new PaperCluster().with(ObjectType.NODE, "{metadata: {name: gpu-a}}");
    private final List<String> ran = new ArrayList<>();
    private final Systems once = new ReadOnce(new Systems() {
        @Override
        public Machine machine(String name) {
            return new Shell(name);
        }

        @Override
        public Proxmox proxmox(String node) throws TroubleException {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, node, "no access", "Add one."));
        }

        @Override
        public Optional<Cluster> cluster() {
            return Optional.of(cluster);
        }

        @Override
        public void close() {
            throw new AssertionError("whoever opened the systems closes them");
        }
    });

    @Test
    void theStepsOfEveryCardAskAMachineForTheSameOnce() throws Exception {
        List<String> heard = new ArrayList<>();

        assertThat(once.machine("pve1").run("uname", "-r").output()).isEqualTo("6.8.12\n");
        once.machine("pve1").run(List.of("uname", "-r"), Duration.ofSeconds(1), heard::add);
        once.machine("pve2").run("uname", "-r");

        assertThat(ran).containsExactly("pve1 [uname, -r]", "pve2 [uname, -r]");
        assertThat(heard).as("who comes later hears it too").containsExactly("6.8.12");
    }

    @Test
    void aClusterIsAskedForTheSameOnce() throws Exception {
        for (int card = 0; card < 3; card++) {
            Cluster seen = once.cluster().orElseThrow();
            seen.list(ObjectType.NODE, "", "");
            seen.picked(ObjectType.POD, "", "spec.nodeName=gpu-a");
        }
        assertThat(cluster.asked).containsExactly("list nodes ", "pick pods  spec.nodeName=gpu-a");
    }

    @Test
    void nobodyWritesThroughALook() throws Exception {
        Cluster seen = once.cluster().orElseThrow();
        ObjectRef node = ObjectRef.of(ObjectType.NODE, "gpu-a");

        assertThatThrownBy(() -> seen.delete(node)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> seen.patch(node, JsonNodeFactory.instance.objectNode(), "1", Cluster.Earnest.MAKE))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> once.machine("pve1").write("/etc/modules", Content.of("vfio"), ""))
                .isInstanceOf(IllegalStateException.class);
        assertThat(seen.get(node)).isPresent();
        once.close();
    }

    private final class Shell implements Machine {
        private final String name;

        Shell(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Ran run(List<String> arguments, Duration limit, Consumer<String> lines) {
            ran.add(name + " " + arguments);
            return new Ran(OptionalInt.of(0), "6.8.12\n", "", Duration.ZERO);
        }

        @Override
        public Content read(String path) {
            return new Content.Absent();
        }

        @Override
        public void write(String path, Content content, String copyBefore) {
            throw new AssertionError("written: " + path);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
