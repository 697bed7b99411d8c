package dev.pitwall.doctor.sign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.util.List;

/** What a line of a log says, where the log wraps it in JSON: journald's export, container runtimes, structured loggers. */
public final class LogLine {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MESSAGES = List.of("MESSAGE", "msg", "message", "log", "M");
    private static final List<String> CAUSES = List.of("error", "err", "reason", "stacktrace");

    private LogLine() {
    }

    /** @return the message and its cause, or the line itself where it is no such JSON */
    public static String said(String line) {
        int brace = line.indexOf('{');
        // Some loggers put the time before the JSON; a brace further in belongs to the message.
        if (brace < 0 || brace > 40 || !line.endsWith("}") || !wraps(line)) {
            return line;
        }
        try {
            JsonNode tree = JSON.readTree(line.substring(brace));
            StringBuilder said = new StringBuilder();
            MESSAGES.stream().filter(tree::has).findFirst().ifPresent(key -> append(said, tree.get(key)));
            if (said.isEmpty()) {
                return line;
            }
            CAUSES.stream().filter(tree::has).forEach(key -> append(said, tree.get(key)));
            return said.toString().strip();
        } catch (JsonProcessingException e) {
            return line;
        }
    }

    private static boolean wraps(String line) {
        return MESSAGES.stream().anyMatch(key -> line.contains("\"" + key + "\""));
    }

    /** journald writes a message that is no UTF-8 as an array of bytes. */
    private static void append(StringBuilder said, JsonNode value) {
        if (!said.isEmpty()) {
            said.append(' ');
        }
        if (value.isArray()) {
            value.forEach(item -> said.append(item.isInt() ? String.valueOf((char) (item.asInt() & 0xff)) : item.asText()));
        } else {
            said.append(value.isValueNode() ? value.asText() : value.toString());
        }
    }
}
