package dev.pitwall.engine.vram;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The architectures whose rules are known. */
final class Architectures {

    /** @param aliases names that Ollama and older files use */
    private record File(Map<String, String> aliases, List<String> ordinary, Map<String, ArchitectureRule> rules) {
    }

    private final File file;

    private Architectures(File file) {
        this.file = file;
    }

    static Architectures load() {
        return new Architectures(EngineData.yaml("architectures.yaml", File.class));
    }

    /** @return empty for an architecture that is not known */
    Optional<ArchitectureRule> rule(String architecture) {
        String name = file.aliases().getOrDefault(architecture, architecture);
        return Optional.ofNullable(file.rules().get(name))
                .or(() -> file.ordinary().contains(name) ? Optional.of(ArchitectureRule.ORDINARY) : Optional.empty());
    }
}
