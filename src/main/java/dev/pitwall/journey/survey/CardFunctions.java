package dev.pitwall.journey.survey;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.survey.HostSurvey.Bar;
import dev.pitwall.journey.survey.HostSurvey.FunctionState;
import dev.pitwall.site.Together;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code /sys} and {@code lspci -vv} say of the functions of NVIDIA cards.
 *
 * @param states by function
 * @param bars   by function
 */
record CardFunctions(Map<PciAddress, FunctionState> states, Map<PciAddress, List<Bar>> bars) {
    private static final String DEVICES = "/sys/bus/pci/devices/";
    private static final List<String> ATTRIBUTES = List.of("reset_method", "power_state", "boot_vga",
            "driver_override", "d3cold_allowed", "power/runtime_status", "power/runtime_suspended_time");
    /** {@code 0x0000006000000000 0x000000600fffffff 0x000000000014220c}: first, last, flags. */
    private static final Pattern RESOURCE = Pattern.compile(
            "0x(\\p{XDigit}{16}) 0x(\\p{XDigit}{16}) 0x(\\p{XDigit}{16})");
    private static final int BARS = 6;
    /** Of the kernel's {@code IORESOURCE_MEM}. */
    private static final long MEMORY = 0x200;
    /** {@code BAR 1: current size: 256MB, supported: 64MB 128MB 256MB}, below "Physical Resizable BAR". */
    private static final Pattern RESIZABLE = Pattern.compile(
            "\\s*BAR (\\d): current size: (\\S+?), supported:((?: \\S+)*)\\s*");
    private static final Pattern SIZE = Pattern.compile("(\\d+)([KMGT])B");

    /** All functions of each slot that has an NVIDIA display function. */
    static List<PciFunction> of(List<PciFunction> functions) {
        return functions.stream().filter(f -> functions.stream()
                .anyMatch(gpu -> gpu.isNvidiaGpu() && gpu.address().sameSlot(f.address()))).toList();
    }

    static CardFunctions read(Machine machine, Looking looking, List<PciFunction> functions)
            throws TroubleException, InterruptedException {
        Map<PciAddress, FunctionState> states = new HashMap<>();
        Map<PciAddress, List<Bar>> bars = new HashMap<>();
        List<Callable<One>> questions = of(functions).stream()
                .<Callable<One>>map(f -> () -> one(machine, looking, f.address())).toList();
        Together.all(questions).forEach(one -> {
            states.put(one.address(), one.state());
            bars.put(one.address(), one.bars());
        });
        return new CardFunctions(states, bars);
    }

    private record One(PciAddress address, FunctionState state, List<Bar> bars) {
    }

    private static One one(Machine machine, Looking looking, PciAddress address)
            throws TroubleException, InterruptedException {
        String folder = DEVICES + address + "/";
        Map<String, String> values = looking.attributes(machine, Showing.STATE.of(address),
                ATTRIBUTES.stream().map(name -> folder + name).toList());
        FunctionState state = new FunctionState(value(values, folder + "reset_method"),
                value(values, folder + "power_state"), value(values, folder + "boot_vga").map("1"::equals),
                value(values, folder + "driver_override").filter(text -> !text.equals("(null)")));
        String resources = looking.output(machine, Showing.BARS.of(address), "cat", folder + "resource");
        String verbose = looking.output(machine, Showing.VERBOSE.of(address), "lspci", "-vv", "-s", address.toString());
        return new One(address, state, bars(resources, resizable(verbose)));
    }

    private static Optional<String> value(Map<String, String> values, String path) {
        return Optional.ofNullable(values.get(path)).filter(text -> !text.isEmpty());
    }

    private static List<Bar> bars(String resources, Map<Integer, List<Long>> resizable) {
        List<Bar> bars = new ArrayList<>();
        List<String> lines = resources.lines().toList();
        for (int i = 0; i < Math.min(BARS, lines.size()); i++) {
            Matcher m = RESOURCE.matcher(lines.get(i).strip());
            if (m.matches() && (Long.parseUnsignedLong(m.group(3), 16) & MEMORY) != 0) {
                long start = Long.parseUnsignedLong(m.group(1), 16);
                long end = Long.parseUnsignedLong(m.group(2), 16);
                bars.add(new Bar(i, start, end - start + 1, resizable.getOrDefault(i, List.of())));
            }
        }
        return bars;
    }

    /** Offered sizes by BAR. */
    static Map<Integer, List<Long>> resizable(String verbose) {
        Map<Integer, List<Long>> sizes = new TreeMap<>();
        verbose.lines().map(RESIZABLE::matcher).filter(Matcher::matches).forEach(m -> {
            List<Long> offered = Arrays.stream(m.group(3).strip().split("\\s+")).flatMap(s -> bytes(s).stream())
                    .toList();
            if (offered.size() > 1) {
                sizes.put(Integer.valueOf(m.group(1)), offered);
            }
        });
        return sizes;
    }

    private static Optional<Long> bytes(String size) {
        Matcher m = SIZE.matcher(size);
        return m.matches() ? Optional.of(Long.parseLong(m.group(1)) << 10 * (1 + "KMGT".indexOf(m.group(2))))
                : Optional.empty();
    }
}
