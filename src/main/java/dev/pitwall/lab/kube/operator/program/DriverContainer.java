package dev.pitwall.lab.kube.operator.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.ImageName;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.DriverFacts;
import dev.pitwall.lab.kube.machine.KernelCheck;
import dev.pitwall.lab.kube.machine.ModuleKind;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.world.GuestDriver;
import dev.pitwall.lab.world.NvidiaProbe;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The driver container: it compiles the module against the running kernel's headers, or takes what it has compiled, and
 * loads it. The module stays when it ends, until the node boots. (facts: cluster.md 1.6)
 */
final class DriverContainer extends ScriptedProgram {
    static final String READY = NodeMachine.VALIDATIONS + ".driver-ctr-ready";
    private static final String WAY = "way";
    private static final Pattern BUILT_FOR = Pattern.compile("(?m)^KERNEL_VERSION=(\\S+)$");
    private static final Pattern VERSION = Pattern.compile("^(\\d[\\d.]*)-.*$");

    private final KernelCheck kernel;
    private final Mirrors mirrors;

    /** How it comes to a module. */
    private enum Way {
        /** It is loaded already, from an earlier run of the same release. */
        REUSE("nvidia-driver-ctr/reused", "reuseLoad", "reuseReady"),
        COMPILE("nvidia-driver-ctr", "driverLoad", "driverReady"),
        /** This pod has compiled it before the node's last boot. */
        CACHED("nvidia-driver-ctr/cached", "reuseLoad", "reuseReady"),
        PRECOMPILED("nvidia-driver-ctr/precompiled", "reuseLoad", "reuseReady");

        private final String script;
        private final String load;
        private final String ready;

        Way(String script, String load, String ready) {
            this.script = script;
            this.load = load;
            this.ready = ready;
        }
    }

    DriverContainer(Ground ground, KernelCheck kernel, Mirrors mirrors) {
        super(ground);
        this.kernel = kernel;
        this.mirrors = mirrors;
    }

    /** The release that a driver pod brings. */
    static String version(JsonNode pod) {
        for (JsonNode container : pod.at("/spec/containers")) {
            if (container.path("name").asText().equals("nvidia-driver-ctr")) {
                return version(container.path("image").asText());
            }
        }
        return "";
    }

    private static String version(String image) {
        Matcher m = VERSION.matcher(ImageName.of(image).tag());
        return m.matches() ? m.group(1) : "";
    }

    private static String version(Run run) {
        return version(run.container().path("image").asText());
    }

    @Override
    String script(Run run) {
        return way(run).script;
    }

    private static Way way(Run run) {
        return Way.valueOf(run.notes().getOrDefault(WAY, Way.COMPILE.name()));
    }

    @Override
    Map<String, String> values(Run run) {
        Map<String, String> values = new HashMap<>(super.values(run));
        values.put("driver", version(run));
        return values;
    }

    @Override
    public Doing look(Run run, Instant now) {
        NodeMachine machine = ground.machine(run);
        if (!run.notes().containsKey(WAY)) {
            run.notes().put(WAY, chosen(run, machine).name());
        }
        if (run.notes().containsKey("ready")) {
            return Doing.ready();
        }
        Optional<Doing> stopped = now.isBefore(at(run, "driverUnloads")) ? Optional.empty()
                : obstacle(run, machine, now);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        Way way = way(run);
        begin(run, machine, way, now);
        if (!now.isBefore(at(run, way.load)) && !run.notes().containsKey("loaded")) {
            Optional<Doing> refused = load(run, machine, way, now);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        if (!now.isBefore(at(run, way.ready))) {
            leaveWord(run, machine);
            return Doing.ready();
        }
        return waits(next(run, way, now));
    }

    private Way chosen(Run run, NodeMachine machine) {
        DriverFacts driver = machine.driver();
        if (driver.isLoaded() && !driver.isHosts() && driver.version().equals(version(run))) {
            return Way.REUSE;
        }
        if (run.container().path("image").asText().contains(driver.kernel())) {
            return Way.PRECOMPILED;
        }
        boolean before = run.pod().created().isBefore(machine.bootedAt());
        return before && machine.has(NodeMachine.DRIVER_STATE) ? Way.CACHED : Way.COMPILE;
    }

    /** A compile shows in the node's state. */
    private void begin(Run run, NodeMachine machine, Way way, Instant now) {
        if (way == Way.COMPILE && !run.notes().containsKey("begun")) {
            run.notes().put("begun", now.toString());
            machine.change((world, node) -> GuestDriver.compile(world, node, version(run),
                    GuestDriver.Source.CONTAINER, now));
        }
    }

    /** What ends it before there is a module. */
    private Optional<Doing> obstacle(Run run, NodeMachine machine, Instant now) {
        if (machine.driver().isHosts()) {
            return Optional.of(fails(run, now, 1, List.of(text("moduleInUse", run))));
        }
        boolean compiles = way(run) == Way.COMPILE;
        if (compiles && !now.isBefore(at(run, "headersMissing")) && !mirrors.haveHeaders(run,
                machine.driver().kernel())) {
            return Optional.of(fails(run, now, 1, List.of(text("noHeaders", run), text("noKernelVersion", run))));
        }
        return Optional.empty();
    }

    private Optional<Doing> load(Run run, NodeMachine machine, Way way, Instant now) {
        if (way == Way.CACHED && !builtForThisKernel(machine)) {
            machine.kernelLine(now, "nvidia: Unknown symbol __register_chrdev (err -2)");
            return Optional.of(refuse(run, machine, "modprobe: ERROR: could not insert 'nvidia': Unknown symbol in "
                    + "module, or unknown parameter (see dmesg)", now));
        }
        Optional<KernelCheck.Refusal> refusal = way == Way.REUSE ? Optional.empty()
                : kernel.refusal(machine, version(run), kind(run, machine));
        if (refusal.isPresent()) {
            refusal.get().kernel().forEach(line -> machine.kernelLine(now, line));
            return Optional.of(refuse(run, machine, refusal.get().modprobe(), now));
        }
        run.notes().put("loaded", now.toString());
        DriverFacts driver = machine.driver();
        if (!driver.isLoaded() || driver.source() != GuestDriver.Source.CONTAINER) {
            machine.change((world, node) -> GuestDriver.load(world, node, version(run),
                    GuestDriver.Source.CONTAINER, now));
        }
        return Optional.empty();
    }

    private Doing refuse(Run run, NodeMachine machine, String words, Instant now) {
        machine.change((world, node) -> GuestDriver.fail(world, node, version(run), GuestDriver.Source.CONTAINER,
                now));
        return fails(run, now, 1, List.of(words));
    }

    private static boolean builtForThisKernel(NodeMachine machine) {
        String state = machine.file(NodeMachine.DRIVER_STATE).orElse("");
        Matcher m = BUILT_FOR.matcher(state);
        return m.find() && m.group(1).equals(machine.driver().kernel());
    }

    private ModuleKind kind(Run run, NodeMachine machine) {
        String asked = run.environment("KERNEL_MODULE_TYPE").orElse("auto");
        return asked.equals("auto") ? kernel.recommended(machine, NvidiaProbe.branch(version(run)))
                : ModuleKind.valueOf(asked.toUpperCase(Locale.ROOT));
    }

    private void leaveWord(Run run, NodeMachine machine) {
        run.notes().put("ready", "true");
        machine.write(NodeMachine.DRIVER_STATE, "DRIVER_VERSION=" + version(run) + "\nKERNEL_VERSION="
                + machine.driver().kernel() + "\nDRIVER_CONFIG_DIGEST="
                + run.environment("DRIVER_CONFIG_DIGEST").orElse("") + "\n");
        machine.write(READY, "");
    }

    private Instant next(Run run, Way way, Instant now) {
        return Stream.of("driverUnloads", "headersMissing", "compileFrom", "compilePeak", "compileTo", way.load,
                        way.ready).map(step -> at(run, step)).filter(now::isBefore).min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** gcc on the resource manager's objects takes most of it. (mission: 512Mi is too little, 4Gi is enough) */
    @Override
    public long memoryBytes(Run run, Instant now) {
        boolean compiles = way(run) == Way.COMPILE && !now.isBefore(at(run, "compileFrom"))
                && now.isBefore(at(run, "compileTo"));
        String need = !compiles ? "driverIdle" : now.isBefore(at(run, "compilePeak")) ? "compileStart" : "compilePeak";
        return mebibytes(need);
    }

    @Override
    public void ended(Run run, Instant now) {
        NodeMachine machine = ground.machine(run);
        machine.remove(List.of(READY));
        if (run.notes().containsKey("begun") && machine.driver().state().equals("compiling")) {
            machine.change((world, node) -> GuestDriver.unload(world, node, now));
        }
    }
}
