package dev.pitwall.doctor;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.catalogue.TrapCatalogue;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.reason.Reasoner;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.doctor.sign.SignTable;

import java.util.List;

/**
 * Looks at evidence and says what keeps a card from being used. The same rules judge live systems and pasted texts.
 * Thread-safe: it holds nothing of a diagnosis.
 */
public final class Doctor {
    private final SignTable signs;
    private final TrapCatalogue catalogue;
    private final List<Check> checks;
    private final Reasoner reasoner;

    /** @param checks what compares parts of the evidence with each other */
    public Doctor(SignTable signs, TrapCatalogue catalogue, List<Check> checks) {
        this.signs = signs;
        this.catalogue = catalogue;
        this.checks = List.copyOf(checks);
        this.reasoner = new Reasoner(catalogue);
    }

    /** The Doctor with the catalogue that is part of the jar. */
    public static Doctor withCatalogue() {
        SignTable signs = SignTable.load();
        return new Doctor(signs, TrapCatalogue.load(), Checks.all(signs));
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
        Examination examination = new Examination(signs, book);
        evidence.each(examination::read);
        examination.picture(picture -> checks.forEach(check -> check.look(picture, book)));
        return reasoner.reason(book, examination.unseen(), examination.looked(catalogue.all().size()));
    }
}
