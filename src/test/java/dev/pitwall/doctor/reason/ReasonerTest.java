package dev.pitwall.doctor.reason;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.catalogue.TrapFloor;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules of a small catalogue of its own, so that the real one may grow. */
class ReasonerTest {
    private static final String CATALOGUE = """
            driver:
            - {trap: low, title: Low, says: "the driver of {node} is broken[ by {by}]", explains: [high],
               evidence: [{all: [broken], weight: 0.8}, {all: [old], weight: 0.5}, {all: [hint], weight: 0.32}, {all: [either], weight: 0.42}],
               against: [{any: [works], weight: 0.9, because: "it works on {node}"}]}
            - {trap: comes, kind: waiting, title: Comes, says: "it compiles", normal: PT3M,
               evidence: [{all: [compiling], none: [broken], weight: 0.9}]}
            plugin:
            - {trap: high, title: High, says: "no device", evidence: [{all: [no-device], weight: 0.7}, {all: [maybe], weight: 0.4}, {all: [either], weight: 0.41}], next: "kubectl logs"}
            - {trap: other, title: Other, says: "wrong key", evidence: [{all: [key@device-plugin], weight: 0.9}]}
            - {trap: noise, kind: harmless, title: Noise, says: "it means nothing", evidence: [{all: [noise], weight: 0.9}]}
            """;

    private static Diagnosis reason(Sign... signs) throws Exception {
        JsonNode files = new YAMLMapper().readTree(CATALOGUE);
        SignBook book = new SignBook();
        List.of(signs).forEach(book::add);
        TrapCatalogue catalogue = TrapCatalogue.of(floor -> files.path(floor.wireName()), List.of("begin below"));
        return new Reasoner(catalogue).reason(book, List.of(), new Diagnosis.Looked(1, 1, 0, 5));
    }

    private static Sign sign(String id, String node) {
        return new Sign(id, new About("", node, "", ""), Map.of(), Optional.empty());
    }

    private static List<String> names(Diagnosis diagnosis) {
        return diagnosis.findings().stream().map(f -> f.trap().name()).toList();
    }

    @Test
    void theLowerCauseComesFirstAndTakesItsConsequencesWithIt() throws Exception {
        Diagnosis diagnosis = reason(sign("no-device", "a"), sign("broken", "a"),
                new Sign("key", new About("device-plugin", "a", "", ""), Map.of(), Optional.empty()));
        assertThat(names(diagnosis)).containsExactly("low", "other");
        assertThat(diagnosis.findings().getFirst().explained()).containsExactly("high");
    }

    @Test
    void causesThatTheVerySameSignLeavesOpenAreRivals() throws Exception {
        assertThat(names(reason(sign("either", "a")))).containsExactly("low", "high");
    }

    @Test
    void aCauseThatIsOneOfSeveralTakesNoLikelierOneWithIt() throws Exception {
        assertThat(names(reason(sign("maybe", "a"), sign("hint", "a")))).containsExactly("high", "low");
    }

    @Test
    void aCauseOnOneNodeExplainsNothingOnAnother() throws Exception {
        Diagnosis diagnosis = reason(sign("no-device", "b"), sign("broken", "a"));
        assertThat(names(diagnosis)).containsExactly("low", "high");
        assertThat(diagnosis.findings().getFirst().nodes()).containsExactly("a");
    }

    @Test
    void severalWeakSignsMakeACauseCertainAndTheSameSignTwiceDoesNot() throws Exception {
        assertThat(reason(sign("old", "a")).findings()).singleElement().satisfies(f -> assertThat(f.certain()).isFalse());
        assertThat(reason(sign("old", "a"), sign("broken", "a")).findings()).singleElement()
                .extracting(Finding::confidence).isEqualTo(0.9);
    }

    @Test
    void whatSpeaksAgainstACauseIsToldWhereItMayHaveBeenOne() throws Exception {
        Diagnosis diagnosis = reason(sign("broken", "a"), sign("works", "a"), sign("no-device", "a"));
        assertThat(names(diagnosis)).containsExactly("high");
        assertThat(diagnosis.findings().getFirst().ruledOut()).containsExactly(new Finding.RuledOut("low", "it works on a"));
    }

    @Test
    void waitingIsNoFaultAndNeitherIsNoise() throws Exception {
        Diagnosis diagnosis = reason(sign("compiling", "a"), sign("noise", "a"));
        assertThat(diagnosis.foundFault()).isFalse();
        assertThat(diagnosis.waiting()).singleElement().satisfies(w -> assertThat(w.normal()).hasMinutes(3));
        assertThat(diagnosis.harmless()).hasSize(1);
    }

    @Test
    void aPartOfASentenceThatNothingIsKnownForIsLeftOut() throws Exception {
        assertThat(reason(sign("broken", "a")).findings().getFirst().summary()).isEqualTo("the driver of a is broken");
        Sign by = new Sign("broken", new About("", "a", "", ""), Map.of("by", "an update"), Optional.empty());
        assertThat(reason(by).findings().getFirst().summary()).isEqualTo("the driver of a is broken by an update");
    }

    @Test
    void evidenceThatTellsOfNoCardIsNoGoodHealth() throws Exception {
        assertThat(reason().next()).containsExactly("begin below");
        assertThat(reason(sign("noise", "a")).next()).isEmpty();
        assertThat(reason(sign("no-device", "a")).next()).isEmpty();
    }

    @Test
    void aTroubleThatNothingNamesIsNoGoodHealthEither() throws Exception {
        Sign trouble = at("trouble-unnamed", 3);
        assertThat(reason(trouble).next()).startsWith("No cause can be told from this line alone: log:3: text");
        assertThat(reason(trouble, at("noise", 3)).next()).as("named harmless").isEmpty();
        assertThat(reason(trouble, sign("broken", "a")).next()).as("a cause was found").isEmpty();
    }

    private static Sign at(String id, long line) {
        return new Sign(id, About.NOTHING, Map.of(), Optional.of(new Cited("log", line, "text")));
    }

    @Test
    void everyFloorHasAPlaceInATower() {
        assertThat(TrapFloor.values()).allSatisfy(f -> assertThat(TrapFloor.named(f.wireName())).contains(f));
    }
}
