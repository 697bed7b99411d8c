package dev.pitwall.cli.doctor;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.cli.ExitCode;
import dev.pitwall.cli.Output;
import dev.pitwall.doctor.Doctor;
import dev.pitwall.doctor.diagnosis.Diagnosis;
import dev.pitwall.doctor.evidence.Evidence;
import dev.pitwall.doctor.evidence.PastedEvidence;
import dev.pitwall.doctor.evidence.SavedEvidence;
import dev.pitwall.doctor.report.MarkdownReport;
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
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** {@code pitwall doctor}: names what keeps a card from being used, from saved evidence. */
@Command(name = "doctor", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Says what keeps a card from being used: one named cause, the lines that prove it, and the fix.",
        footer = {"", "Exit codes: 0 nothing wrong, 1 a cause was found, 2 bad use or unreadable evidence."})
public final class DoctorCommand implements Callable<Integer> {
    private final Supplier<Doctor> doctor;
    private final InputStream standardInput;
    private final Output output;

    @ArgGroup(multiplicity = "1")
    private Source source;

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
    public DoctorCommand(Supplier<Doctor> doctor, InputStream standardInput, Output output) {
        this.doctor = doctor;
        this.standardInput = standardInput;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            Diagnosis diagnosis = doctor.get().diagnose(evidence());
            DoctorReport words = new DoctorReport(diagnosis);
            if (json) {
                output.json(words.json());
            } else {
                output.text(words.text());
            }
            if (report != null) {
                save(diagnosis);
            }
            return exit(diagnosis);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
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

    /** Evidence of which nothing could be read is bad input, not a card in good health. */
    private int exit(Diagnosis diagnosis) {
        Diagnosis.Looked looked = diagnosis.looked();
        if (looked.lines() == 0 && looked.objects() == 0) {
            output.note("pitwall: nothing in it could be read as text"
                    + (diagnosis.unseen().isEmpty() ? "" : ": " + diagnosis.unseen().getFirst()));
            return ExitCode.BAD_USE;
        }
        return diagnosis.foundFault() ? ExitCode.FOUND : ExitCode.FINE;
    }
}
