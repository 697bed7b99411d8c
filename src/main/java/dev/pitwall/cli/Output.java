package dev.pitwall.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.pitwall.card.Trouble;

import java.io.PrintWriter;

/** Where a command prints: results on standard output, everything else on standard error. */
public final class Output {
    private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final PrintWriter out;
    private final PrintWriter err;

    public Output(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Prints one JSON document. */
    public void json(JsonNode document) {
        try {
            out.println(mapper.writeValueAsString(document));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values can always be written", e);
        }
    }

    public void text(String text) {
        out.print(text);
        out.flush();
    }

    /** A line that is not a result: progress, a notice. */
    public void note(String line) {
        err.println(line);
        err.flush();
    }

    /** @return exit code 2 */
    public int badUse(String option, String what) {
        note("pitwall: " + option + ": " + what);
        return ExitCode.BAD_USE;
    }

    /** Says what is wrong and what to do. @return exit code 3 where a system was not reached, 1 if it is refused now, else 2 */
    public int trouble(Trouble trouble) {
        note("pitwall: " + trouble.sentence());
        note("  " + trouble.next());
        if (trouble.kind() == Trouble.Kind.BUSY) {
            return ExitCode.FOUND;
        }
        return trouble.kind().unreachable() ? ExitCode.UNREACHABLE : ExitCode.BAD_USE;
    }
}
