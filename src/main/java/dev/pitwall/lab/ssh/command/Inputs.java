package dev.pitwall.lab.ssh.command;

import dev.pitwall.lab.ssh.FileTrouble;
import dev.pitwall.lab.ssh.shell.Call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads every operand, or standard input where there is none; troubles go to standard error. */
final class Inputs {
    record Input(String name, byte[] content) {
        List<String> lines() {
            return new String(content, StandardCharsets.UTF_8).lines().toList();
        }
    }

    final List<Input> inputs = new ArrayList<>();
    int status;

    Inputs(Call call, List<String> operands) throws IOException {
        this(call, operands, "");
    }

    /** @param doing what is said before the name of a file that cannot be read */
    Inputs(Call call, List<String> operands, String doing) throws IOException {
        if (operands.isEmpty()) {
            inputs.add(new Input("-", call.in().readAllBytes()));
        }
        for (String operand : operands) {
            try {
                inputs.add(new Input(operand, operand.equals("-") ? call.in().readAllBytes()
                        : call.files().read(call.path(operand))));
            } catch (FileTrouble e) {
                status = call.fail(1, doing + operand + ": " + e.why().words());
            }
        }
    }

    String text() {
        StringBuilder all = new StringBuilder();
        inputs.forEach(input -> all.append(new String(input.content(), StandardCharsets.UTF_8)));
        return all.toString();
    }

    List<String> lines() {
        return inputs.stream().flatMap(i -> i.lines().stream()).toList();
    }
}
