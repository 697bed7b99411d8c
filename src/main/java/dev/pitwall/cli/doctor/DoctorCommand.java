package dev.pitwall.cli.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.OpenSites;
import dev.pitwall.cli.Output;
import dev.pitwall.doctor.Doctor;
import dev.pitwall.doctor.SiteDoctors;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.evidence.PastedEvidence;
import dev.pitwall.doctor.evidence.SavedEvidence;
import dev.pitwall.doctor.report.MarkdownReport;
import dev.pitwall.journey.Choices;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** {@code pitwall doctor}: names what keeps a card from being used, from a live site or from saved evidence, and cures it. */
@Command(name = "doctor", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Says what keeps a card from being used: one named cause, the lines that prove it, and the fix.",
        footer = {"", "Without --evidence or --paste, the systems of the site are looked at. --fix makes a run that \"journal\" shows "
                + "and \"undo\" takes back.", "",
                "Exit codes: 0 nothing wrong, or cured; 1 a cause was found, or the cure did not come to its end; 2 bad use or "
                        + "unreadable evidence; 3 a system was not reached."})
public final class DoctorCommand implements Callable<Integer> {
    private final Supplier<Doctor> doctor;
    private final InputStream standardInput;
    private final LiveVisit visit;
    private final Output output;

    @ArgGroup
    private Source source = new Source();

    @Option(names = "--site", paramLabel = "NAME|FILE",
            description = "A saved site or a site file that is looked at live; without it the practice lab is started.")
    private String site;

    @Option(names = "--fix", paramLabel = "TRAP", description = "Cures this finding of a live site; without --yes only the plan is shown.")
    private String fix;

    @Option(names = "--card", paramLabel = "ID", description = "The card that is cured, if the finding is about several.")
    private String card;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Decides a question of the cure; may be given several times.")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(names = "--yes", description = "Really do it.")
    private boolean yes;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(names = "--report", paramLabel = "FILE",
            description = "Also write the diagnosis as Markdown to a new file, with secrets and names masked, for a forum post.")
    private String report;

    /** Where the evidence is. */
    private static final class Source {
        @Option(names = "--evidence", paramLabel = "DIR", description = "A folder of saved outputs, a GPU Operator must-gather "
                + "folder or archive, or a single file.")
        private String evidence;

        @Option(names = "--paste", paramLabel = "FILE|-", description = "One text with one or more outputs; - is standard input.")
        private String paste;
    }

    /** @param doctor is made when it is needed: it reads its catalogue */
    public DoctorCommand(Supplier<Doctor> doctor, OpenSites sites, SiteDoctors doctors, InputStream standardInput, Output output) {
        this.doctor = doctor;
        this.visit = new LiveVisit(sites, doctors, output);
        this.standardInput = standardInput;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            return source.evidence == null && source.paste == null ? live() : saved();
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private int saved() throws TroubleException, InterruptedException {
        if (fix != null || site != null) {
            return output.badUse(fix != null ? "--fix" : "--site", "saved evidence can be read, and nothing of it changed: "
                    + "leave out --evidence and --paste to look at a live site");
        }
        Diagnosis diagnosis = doctor.get().diagnose(evidence());
        boolean empty = nothingRead(diagnosis);
        if (empty) {
            output.note("pitwall: nothing in it could be read as text"
                    + (diagnosis.unseen().isEmpty() ? "" : ": " + diagnosis.unseen().getFirst()));
            output.note("  Give it the output of commands, for example of dmesg, nvidia-smi or kubectl describe.");
        }
        if (!empty || json) {
            print(new DoctorReport(diagnosis, Map.of()));
        }
        if (report != null) {
            save(diagnosis);
        }
        return empty ? ExitCode.BAD_USE : diagnosis.foundFault() ? ExitCode.FOUND : ExitCode.FINE;
    }

    private void print(DoctorReport words) {
        if (json) {
            output.json(words.json());
        } else {
            output.text(words.text());
        }
    }

    private int live() throws TroubleException, InterruptedException {
        if (fix != null) {
            return visit.cure(site, new LiveVisit.Wish(fix, Optional.ofNullable(card), Choices.of(set), yes), json);
        }
        LiveVisit.Seen seen = visit.look(site);
        print(new DoctorReport(seen.diagnosis(), seen.treatments()));
        if (report != null) {
            save(seen.diagnosis());
        }
        return seen.diagnosis().foundFault() ? ExitCode.FOUND : ExitCode.FINE;
    }

    private Evidence evidence() throws TroubleException {
        if (source.paste == null) {
            return new SavedEvidence(path(source.evidence));
        }
        if (source.paste.equals("-")) {
            return new PastedEvidence("standard input", () -> standardInput);
        }
        Path file = path(source.paste);
        if (!Files.isRegularFile(file)) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, file.toString(), Files.isDirectory(file)
                    ? "this is a folder, not a file" : "there is no such file", "Give a folder to --evidence, a file to --paste."));
        }
        return new PastedEvidence(file.getFileName().toString(), () -> Files.newInputStream(file));
    }

    private static Path path(String text) throws TroubleException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, text, "this cannot be the name of a file",
                    "Check the name."), e);
        }
    }

    private void save(Diagnosis diagnosis) throws TroubleException {
        Path file = path(report);
        try {
            Files.writeString(file, MarkdownReport.of(diagnosis), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, report, "there is such a file already",
                    "Name a new one; nothing is written over."), e);
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, report, "it cannot be written",
                    "Check the folder and its permissions."), e);
        }
    }

    /** Evidence of which nothing could be read is bad input, not a card in good health; what to look at next is beside the point. */
    private static boolean nothingRead(Diagnosis diagnosis) {
        return diagnosis.looked().lines() == 0 && diagnosis.looked().objects() == 0;
    }
}
