package dev.pitwall.read;

import java.util.List;
import java.util.OptionalLong;

/** Kernel modules that are loaded. */
public record LoadedModules(List<Module> modules, List<String> notes) implements Understood {
    public LoadedModules {
        modules = List.copyOf(modules);
        notes = List.copyOf(notes);
    }

    /**
     * @param bytes  memory it takes
     * @param users  count of its users; empty where not shown
     * @param usedBy modules that use it
     */
    public record Module(String name, OptionalLong bytes, OptionalLong users, List<String> usedBy) {
        public Module {
            usedBy = List.copyOf(usedBy);
        }
    }

    @Override
    public Kind kind() {
        return Kind.LSMOD;
    }
}
