package dev.pitwall.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.likeness.KnownReports;
import dev.pitwall.doctor.likeness.SecondOpinion;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.reason.Reasoner;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.doctor.sign.SignTable;

import java.util.List;
import java.util.Optional;

/**
 * Looks at evidence and says what keeps a card from being used. The same rules judge live systems and pasted texts.
 * Thread-safe: it holds nothing of a diagnosis.
 */
public final class Doctor {
    private final SignTable signs;
    private final TrapCatalogue catalogue;
    private final List<Check> checks;
    private final Reasoner reasoner;
    private final Optional<SecondOpinion> secondOpinion;

    /**
     * @param checks        what compares parts of the evidence with each other
     * @param secondOpinion what is asked where the rules cannot tell
     */
    public Doctor(SignTable signs, TrapCatalogue catalogue, List<Check> checks, Optional<SecondOpinion> secondOpinion) {
        this.signs = signs;
        this.catalogue = catalogue;
        this.checks = List.copyOf(checks);
        this.reasoner = new Reasoner(catalogue);
        this.secondOpinion = secondOpinion;
    }

    /** The Doctor with the catalogue and the public reports that are part of the jar. */
    public static Doctor withCatalogue() {
        TrapCatalogue catalogue = TrapCatalogue.load();
        return of(catalogue, Optional.of(new SecondOpinion(KnownReports::load, catalogue)));
    }

    /** The Doctor that goes by its catalogue alone. */
    static Doctor byRulesAlone() {
        return of(TrapCatalogue.load(), Optional.empty());
    }

    static Doctor of(TrapCatalogue catalogue, Optional<SecondOpinion> secondOpinion) {
        SignTable signs = SignTable.load();
        return new Doctor(signs, catalogue, Checks.all(signs), secondOpinion);
    }

    public TrapCatalogue catalogue() {
        return catalogue;
    }

    /**
     * Reads all of the evidence once, from the beginning to the end, and judges it.
     *
     * @throws TroubleException if the evidence as a whole cannot be read; a single piece that cannot is only told
     */
    public Diagnosis diagnose(Evidence evidence) throws TroubleException, InterruptedException {
        SignBook book = new SignBook();
        Examination examination = read(evidence, book);
        Diagnosis rules = reasoner.reason(book, examination.unseen(), examination.looked(catalogue.all().size()));
        return secondOpinion.map(second -> second.on(rules, book, examination.words())).orElse(rules);
    }

    /** Reads evidence into a book of signs, and compares its parts. */
    Examination read(Evidence evidence, SignBook book) throws TroubleException, InterruptedException {
        Examination examination = new Examination(signs, book);
        evidence.each(examination::read);
        examination.picture(picture -> checks.forEach(check -> check.look(picture, book)));
        return examination;
    }
}
