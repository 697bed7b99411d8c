package dev.pitwall.doctor.fix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.catalogue.Trap;
import dev.pitwall.doctor.diagnosis.Finding;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Cluster;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.change.Change;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says what a cure of the book changes in a site. */
public final class Treatments {
    private final CureBook book;

    public Treatments(CureBook book) {
        this.book = book;
    }

    /** The cure of a finding: the one that its cause names, else the one of its cause's own name. */
    public Optional<CureBook.Cure> cure(Finding finding) {
        Optional<CureBook.Cure> named = finding.trap().fix().remedy().flatMap(remedy -> switch (remedy) {
            case Trap.Remedy.Cure(String name) -> book.named(name);
            case Trap.Remedy.WizardStep step -> Optional.empty();
            case Trap.Remedy.ByHand hand -> Optional.empty();
        });
        return named.or(() -> book.named(finding.trap().name()));
    }

    /**
     * The changes that a cure makes of the site as it is now.
     *
     * @param machines the machines of the cluster's nodes
     * @return {@link Answer.State#READY}, or BLOCKED where there is nothing that it could change
     */
    public Answer answer(CureBook.Cure cure, Finding finding, Systems systems, NodeMachines machines) throws TroubleException, InterruptedException {
        Optional<Cluster> cluster = systems.cluster();
        if (cluster.isEmpty()) {
            return Answer.of(Answer.State.BLOCKED, "the site has no cluster to change", List.of());
        }
        Doses doses = new Doses(new Patient(finding, systems, cluster.get(), machines));
        List<Change> changes = new ArrayList<>();
        for (JsonNode dose : cure.doses()) {
            changes.addAll(doses.of(dose));
        }
        return changes.isEmpty() ? Answer.of(Answer.State.BLOCKED, "all that Pitwall would change is so already", List.of())
                : Answer.ready(cure.title(), List.of(), changes).noting(cure.notes());
    }
}
