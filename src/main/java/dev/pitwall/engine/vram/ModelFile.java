package dev.pitwall.engine.vram;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.read.InputFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads what a file tells of a model: an answer of {@code /api/show}, or a GGUF file with what lies beside it. */
public final class ModelFile {
    private static final byte[] MAGIC = {'G', 'G', 'U', 'F'};
    private static final String ASK = "Give it an answer of Ollama's /api/show (best with \"verbose\": true) or a GGUF file.";

    private final Quantisations quantisations = Quantisations.load();
    private final ShowAnswer answers = new ShowAnswer(quantisations);
    private final GgufModel models = new GgufModel(new GgufReader(quantisations));

    /** @throws TroubleException in one sentence with file and place, if it cannot be read or is neither of both */
    public ModelFacts read(Path file) throws TroubleException {
        return gguf(file) ? models.read(file) : answer(fileName(file), input(() -> InputFile.of(file)));
    }

    @FunctionalInterface
    private interface Opening {
        InputFile open() throws TroubleException, IOException;
    }

    /** A file that is no text gets the hint that belongs here. */
    private static InputFile input(Opening opening) throws TroubleException {
        try {
            return opening.open();
        } catch (TroubleException e) {
            Trouble trouble = e.trouble();
            throw trouble.kind() == Trouble.Kind.UNREADABLE ? new TroubleException(new Trouble(trouble.kind(), trouble.where(),
                    trouble.what(), ASK), e) : e;
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, "standard input", "it cannot be read", ASK), e);
        }
    }

    /** An answer of {@code /api/show} from a stream. */
    public ModelFacts read(String name, InputStream in) throws TroubleException {
        return answer(name, input(() -> InputFile.of(name, in)));
    }

    private static boolean gguf(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        } catch (IOException e) {
            // What is wrong with it is said where it is read as a text.
            return false;
        }
    }

    private static String fileName(Path file) {
        return file.getFileName().toString().replaceFirst("\\.[^.]+$", "");
    }

    private ModelFacts answer(String name, InputFile input) throws TroubleException {
        JsonNode root = json(input);
        if (root.path("error").isTextual()) {
            throw trouble(input.name(), "this is an error of the server: " + root.path("error").asText(), ASK);
        }
        if (!ShowAnswer.recognises(root)) {
            throw trouble(input.name() + " line 1", "this JSON has no model_info, so it is no answer of /api/show", ASK);
        }
        if (root.path("model_info").isEmpty()) {
            throw trouble(input.name(), "its model_info is empty", ASK);
        }
        return answers.read(name, root);
    }

    private static JsonNode json(InputFile input) throws TroubleException {
        try {
            return new ObjectMapper().readTree(input.text());
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, input.name() + " line " + place.getLineNr() + " column "
                    + place.getColumnNr(), input.text().stripLeading().startsWith("{") ? "the JSON is broken or ends too early here"
                    : "neither JSON nor a GGUF file", ASK), e);
        }
    }

    private static TroubleException trouble(String where, String what, String next) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, where, what, next));
    }
}
