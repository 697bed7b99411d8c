package dev.pitwall.doctor.catalogue;

import dev.pitwall.doctor.fix.CureBook;
import dev.pitwall.doctor.sign.SignTable;
import dev.pitwall.journey.StepTexts;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The catalogue and the signs are data; what would only show at a diagnosis is checked here. */
class CatalogueTest {
    private final TrapCatalogue catalogue = TrapCatalogue.load();

    @Test
    void everySignThatARuleAsksForCanBeGiven() {
        Set<String> known = SignTable.load().ids();
        assertThat(catalogue.references().map(SignRef::id).distinct().filter(id -> !known.contains(id))).isEmpty();
    }

    @Test
    void everySignIsAskedForBySomeRule() {
        Set<String> asked = catalogue.references().map(SignRef::id).collect(Collectors.toSet());
        SignTable table = SignTable.load();
        asked.addAll(table.readByChecks());
        assertThat(table.ids()).isSubsetOf(asked);
    }

    @Test
    void whatATrapPointsAtIsInTheCatalogue() {
        assertThat(catalogue.all()).allSatisfy(trap -> {
            assertThat(trap.explains()).allSatisfy(name -> assertThat(catalogue.named(name)).isPresent());
            assertThat(trap.mistakenFor()).allSatisfy(m -> assertThat(catalogue.named(m.trap())).isPresent());
        });
    }

    @Test
    void everyTrapSaysWhatItIsWhatCuresItAndWhereThatIsFrom() {
        assertThat(catalogue.all()).allSatisfy(trap -> {
            assertThat(trap.title()).as(trap.name()).isNotBlank();
            assertThat(trap.says()).as(trap.name()).isNotBlank();
            assertThat(trap.means()).as(trap.name()).isNotBlank();
            assertThat(trap.proofs()).as(trap.name()).isNotEmpty();
            assertThat(trap.sources()).as(trap.name()).isNotEmpty();
            assertThat(trap.fix().summary()).as(trap.name()).isNotBlank();
            assertThat(trap.normal().isPresent()).as(trap.name()).isEqualTo(trap.kind() == Trap.Kind.WAITING);
        });
    }

    @Test
    void everyRemedyIsAStepOfTheWizardOrACureOfTheBook() {
        Set<String> steps = StepTexts.load().ids();
        Set<String> cures = CureBook.load().names();
        assertThat(catalogue.all()).allSatisfy(trap -> trap.fix().remedy().ifPresent(remedy -> {
            switch (remedy) {
                case Trap.Remedy.WizardStep step -> assertThat(steps).as(trap.name()).contains(step.step());
                case Trap.Remedy.Cure cure -> assertThat(cures).as(trap.name()).contains(cure.name());
                case Trap.Remedy.ByHand hand -> assertThat(trap.fix().steps()).as(trap.name()).isNotEmpty();
            }
        }));
    }
}
