package dev.pitwall.read;

import java.util.Map;
import java.util.Optional;

/** JSON of what model servers say. */
final class ModelJson {

    void ollama(Out out, OllamaAnswer answer) {
        out.text("call", answer.call().map(OllamaAnswer.Call::wireName)).text("error", answer.error())
                .list("models", answer.models(), ModelJson::model);
        answer.stream().ifPresent(s -> out.object("stream", new Out().number("lines", s.lines())
                .text("lastStatus", s.lastStatus()).number("completedBytes", s.completedBytes())
                .number("totalBytes", s.totalBytes()).flag("done", s.done()).text("doneReason", s.doneReason())
                .decimal("tokensPerSecond", s.tokensPerSecond())));
    }

    private static Out model(OllamaAnswer.Model m) {
        Optional<Map<String, String>> info = m.info().isEmpty() ? Optional.empty() : Optional.of(m.info());
        return new Out().text("name", m.name()).number("sizeBytes", m.sizeBytes()).number("vramBytes", m.vramBytes())
                .text("expiresAt", m.expiresAt()).flag("pinned", m.pinned()).number("contextTokens", m.contextTokens())
                .text("digest", m.digest()).text("family", m.family()).text("parameterSize", m.parameterSize())
                .text("quantization", m.quantization()).textsIfAny("capabilities", m.capabilities())
                .text("remoteHost", m.remoteHost()).map("info", info);
    }

    void llama(Out out, LlamaServerAnswer answer) {
        out.text("call", answer.call().map(LlamaServerAnswer.Call::wireName)).flag("router", answer.router())
                .number("slots", answer.slots()).number("maxModels", answer.maxModels()).text("build", answer.build())
                .text("error", answer.error())
                .list("models", answer.models(), m -> new Out().text("name", m.id()).text("state", m.state())
                        .flag("failed", m.failed()).number("exitCode", m.exitCode()).decimal("progress", m.progress())
                        .text("source", m.source()).number("fileBytes", m.fileBytes()).number("parameters", m.parameters())
                        .number("contextTokens", m.contextTokens()).number("trainedContextTokens", m.trainedContextTokens()));
    }
}
