package dev.pitwall.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.read.InputFile;
import dev.pitwall.read.Kind;
import dev.pitwall.read.ReadJson;
import dev.pitwall.read.ReadTable;
import dev.pitwall.read.Recognizer;
import dev.pitwall.read.Text;
import picocli.CommandLine;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code pitwall read FILE…}: recognises outputs and prints what Pitwall understood. One file gives one document,
 * several give {@code {files: […]}}. Exit code 2 if any of them could not be read or recognised; the others are still
 * printed.
 */
@CommandLine.Command(name = "read", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Recognises an output, whatever its file is called, and prints what Pitwall understood.")
public final class ReadCommand implements Callable<Integer> {

    private static final int FINE = 0;
    private static final int BAD_INPUT = 2;

    @CommandLine.Parameters(paramLabel = "FILE", arity = "1..*",
            description = "Files with the output of a command; - is standard input.")
    private List<String> files;

    @CommandLine.Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private final InputStream standardInput;
    private final Recognizer recognizer = new Recognizer();
    private final ReadJson writer = new ReadJson();
    private final ReadTable table = new ReadTable();

    public ReadCommand() {
        this(System.in);
    }

    /** @param standardInput what {@code -} reads */
    public ReadCommand(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    /** The command with its help, which lists every form by name. */
    public CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        describe(line.getCommandSpec());
        return line;
    }

    /** Adds the list of forms to the help; for a command that was added to another. */
    public static void describe(CommandLine.Model.CommandSpec spec) {
        List<String> footer = new ArrayList<>();
        footer.add("");
        footer.add("Understood forms:");
        for (Kind kind : Kind.values()) {
            footer.add(String.format("  %-20s %s", kind.wireName(), kind.text()));
        }
        spec.usageMessage().footer(footer.toArray(String[]::new)).width(120);
    }

    @Override
    public Integer call() {
        List<ObjectNode> documents = new ArrayList<>();
        int exit = FINE;
        for (String file : files) {
            try {
                documents.add(read(file));
            } catch (TroubleException e) {
                exit = BAD_INPUT;
                documents.add(failed(file, e.trouble()));
            }
        }
        print(documents);
        return exit;
    }

    /** Says it to the person at once; among several files the document has a place for it too. */
    private ObjectNode failed(String file, Trouble trouble) {
        spec.commandLine().getErr().println(trouble.sentence() + ". " + trouble.next());
        spec.commandLine().getErr().flush();
        return JsonNodeFactory.instance.objectNode().putNull("kind").put("file", file).put("error", trouble.sentence());
    }

    private ObjectNode read(String file) throws TroubleException {
        InputFile input = input(file);
        Text text = Text.of(input.text(), Text.Ending.MAYBE_CUT);
        return switch (recognizer.recognise(text)) {
            case Recognizer.Recognised r -> writer.write(input.name(), r, input.notes());
            case Recognizer.NotRecognised n -> throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE,
                    input.name() + " line " + n.line(), "not recognised; the text begins \"" + n.firstLine() + "\"",
                    "\"pitwall read --help\" lists the forms it knows."));
        };
    }

    private InputFile input(String file) throws TroubleException {
        try {
            return file.equals("-") ? InputFile.of("standard input", standardInput) : InputFile.of(Path.of(file));
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "standard input", "it cannot be read",
                    "Save the output to a file and name that."), e);
        } catch (InvalidPathException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, file, "this cannot be the name of a file",
                    "Check the name, or use - for standard input."), e);
        }
    }

    private void print(List<ObjectNode> documents) {
        PrintWriter out = spec.commandLine().getOut();
        List<ObjectNode> understood = documents.stream().filter(d -> d.hasNonNull("kind")).toList();
        if (!json) {
            out.print(String.join("\n", understood.stream().map(table::write).toList()));
        } else if (files.size() > 1) {
            ObjectNode all = JsonNodeFactory.instance.objectNode();
            documents.forEach(all.putArray("files")::add);
            out.println(pretty(all));
        } else {
            understood.forEach(d -> out.println(pretty(d)));
        }
        out.flush();
    }

    private static String pretty(ObjectNode document) {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }
}
