package dev.pitwall.journey.host;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.pitwall.card.PciFunction;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is known of devices by their class, and of the modules that drive an NVIDIA card's functions. */
final class Devices {
    static final String VFIO = "vfio-pci";

    private final Table table = HostData.read("host-devices.yaml", new TypeReference<>() { });

    /** The tables of {@code journey/host-devices.yaml}. */
    private record Table(Map<String, Kind> classes, Map<String, List<String>> modules, Map<String, String> drivers,
                         List<String> blacklist) {
    }

    /**
     * @param word what it is, for example {@code network card}
     * @param loss what the host does without when the device goes to a VM
     */
    record Kind(String word, String loss) {
    }

    /** A module's name as the kernel has it: dashes and underscores are the same. */
    static String name(String module) {
        return module.replace('-', '_');
    }

    Kind kind(PciFunction function) {
        String code = function.classCode().orElse("");
        return longest(table.classes(), code).orElseThrow();
    }

    private static <T> Optional<T> longest(Map<String, T> byClass, String code) {
        return byClass.entrySet().stream().filter(e -> code.startsWith(e.getKey()))
                .max(Comparator.comparingInt(e -> e.getKey().length())).map(Map.Entry::getValue);
    }

    /** The product as its maker calls it, else what it is. */
    String title(PciFunction function) {
        return function.name().or(function::className).orElse(kind(function).word());
    }

    /**
     * Modules that hold a function or may claim it at boot, as lspci names them; where the source names none for the
     * whole card, those that are known to.
     *
     * @param card all functions of the slot
     */
    Set<String> rivals(PciFunction function, List<PciFunction> card) {
        boolean silent = card.stream().allMatch(f -> f.modules().isEmpty() && f.driver().isEmpty());
        Set<String> rivals = new LinkedHashSet<>();
        function.driver().map(d -> module(d, function)).ifPresent(rivals::add);
        function.modules().stream().map(Devices::name).forEach(rivals::add);
        if (silent) {
            longest(table.modules(), function.classCode().orElse("")).ifPresent(rivals::addAll);
        }
        rivals.remove(name(VFIO));
        return rivals;
    }

    /** The module behind a driver: of the same name, by the table, or the only one that the function lists. */
    private String module(String driver, PciFunction function) {
        List<String> modules = function.modules().stream().map(Devices::name).toList();
        return modules.contains(name(driver)) || !table.drivers().containsKey(driver) && modules.size() != 1
                ? name(driver) : table.drivers().getOrDefault(driver, modules.isEmpty() ? name(driver)
                        : modules.getFirst());
    }

    boolean mayBeBlacklisted(String module) {
        return table.blacklist().contains(module);
    }
}
