package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.Run;
import dev.pitwall.lab.kube.machine.CardFacts;
import dev.pitwall.lab.kube.machine.NodeMachine;
import dev.pitwall.lab.kube.machine.Nvml;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The device plugin: it registers the node's cards with the kubelet, as often as they are shared, and minds their
 * health. An unhealthy card stays so until the plugin starts anew. (facts: cluster.md 1.9, 2)
 */
final class DevicePlugin extends ScriptedProgram {
    private static final String GPU = "nvidia.com/gpu";
    private static final String SICK = "sick.";
    private static final String BEFORE = "xid-before-";
    private static final String CONFIG = "config";
    /** Whether there are configurations to choose from; that does not change while it runs. */
    private static final String OFFERED = "offered";
    private static final Duration WATCH = Duration.ofSeconds(2);
    /** Xids of applications, which do not make a card unhealthy. [k8s-device-plugin, internal/rm/health.go] */
    private static final Set<Integer> HARMLESS = Set.of(0, 13, 31, 43, 45, 68, 109);

    DevicePlugin(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return run.notes().containsKey(CONFIG) ? "nvidia-device-plugin" : "nvidia-device-plugin/start";
    }

    @Override
    Map<String, String> values(Run run) {
        Map<String, String> values = new HashMap<>(super.values(run));
        values.put("resource", run.notes().getOrDefault("resource", GPU));
        return values;
    }

    @Override
    public Doing look(Run run, Instant now) {
        Instant loads = at(run, "pluginLoads");
        if (now.isBefore(loads)) {
            return waits(loads);
        }
        if (!run.notes().containsKey(CONFIG)) {
            Optional<Doing> stopped = begin(run, now);
            if (stopped.isPresent()) {
                return stopped.get();
            }
        }
        Instant registers = at(run, "pluginRegisters");
        if (now.isBefore(registers)) {
            return waits(registers);
        }
        return chosen(run, now).orElseGet(() -> advertise(run, now));
    }

    /** Its first steps: NVML, then the configuration. */
    private Optional<Doing> begin(Run run, Instant now) {
        NodeMachine machine = ground.machine(run);
        boolean injected = GpuAccess.runsUnderNvidia(ground, run);
        Optional<String> trouble = injected ? Nvml.trouble(machine) : Optional.of("ERROR_LIBRARY_NOT_FOUND");
        if (trouble.isPresent()) {
            return Optional.of(withoutNvml(run, now, injected, trouble.get()));
        }
        try {
            String text = configText(run);
            SharingConfig.parse(text);
            run.notes().put(CONFIG, text);
            run.notes().put("label", new ChosenConfig(ground, run).label());
            run.notes().put(OFFERED, Boolean.toString(new ChosenConfig(ground, run).isOffered()));
            return Optional.empty();
        } catch (SharingConfig.Malformed | ChosenConfig.NoChoice e) {
            return Optional.of(fails(run, now, 1, List.of("E" + Scripts.klog(now) + " 1 main.go:183] \"error starting "
                    + "plugins: unable to load config: unable to finalize config: unable to parse config file: error "
                    + "parsing config file: " + e.getMessage() + "\"")));
        }
    }

    private Doing withoutNvml(Run run, Instant now, boolean injected, String trouble) {
        String stamp = Scripts.klog(now);
        boolean fatal = !run.environment("FAIL_ON_INIT_ERROR").orElse("true").equals("false");
        if (injected && fatal) {
            return fails(run, now, 1, List.of("E" + stamp + " 1 factory.go:113] Failed to initialize NVML: " + trouble
                    + ".", "E" + stamp + " 1 main.go:183] \"error starting plugins: error creating plugin manager: "
                    + "unable to create plugin manager: failed to initialize NVML: " + trouble + "\""));
        }
        Journal.sayOnce(run, now, "E" + stamp + " 1 factory.go:112] Incompatible strategy detected auto");
        Journal.sayOnce(run, now, "E" + stamp + " 1 factory.go:113] If this is a GPU node, did you configure the "
                + "NVIDIA Container Toolkit?");
        if (fatal) {
            return fails(run, now, 1, List.of("E" + stamp + " 1 main.go:183] \"error starting plugins: error creating "
                    + "plugin manager: unable to create plugin manager: invalid device discovery strategy\""));
        }
        Journal.sayOnce(run, now, "I" + stamp + " 1 main.go:301] No devices found. Waiting indefinitely.");
        return new Doing.Goes(true, Instant.MAX);
    }

    private String configText(Run run) throws ChosenConfig.NoChoice {
        ChosenConfig chosen = new ChosenConfig(ground, run);
        if (chosen.isOffered()) {
            return chosen.text();
        }
        return run.environment("CONFIG_FILE").flatMap(run::mounted).orElse(ChosenConfig.EMPTY);
    }

    /** A node's new label sends the plugin a signal; an edit of the ConfigMap does not. (facts: cluster.md 2) */
    private Optional<Doing> chosen(Run run, Instant now) {
        ChosenConfig chosen = new ChosenConfig(ground, run);
        if (!isOffered(run) || chosen.label().equals(run.notes().get("label"))) {
            return Optional.empty();
        }
        run.notes().put("label", chosen.label());
        try {
            String text = chosen.text();
            SharingConfig.parse(text);
            run.notes().put(CONFIG, text);
            Journal.say(run, now, "I" + Scripts.klog(now) + " 1 main.go:200] Received SIGHUP, restarting.");
            return Optional.empty();
        } catch (ChosenConfig.NoChoice none) {
            // config-manager ends with an error and sends no signal: the old configuration stays in force.
            return Optional.empty();
        } catch (SharingConfig.Malformed malformed) {
            return Optional.of(fails(run, now, 1, List.of("E" + Scripts.klog(now) + " 1 main.go:183] \"error starting "
                    + "plugins: unable to load config: " + malformed.getMessage() + "\"")));
        }
    }

    private Doing advertise(Run run, Instant now) {
        SharingConfig config = sharing(run);
        NodeMachine machine = ground.machine(run);
        String resource = config.advertised(GPU);
        Map<String, Boolean> devices = new TreeMap<>();
        for (CardFacts card : machine.cards()) {
            boolean healthy = isHealthy(run, card, now);
            for (int i = 0; i < config.replicas(GPU); i++) {
                devices.put(config.shares(GPU) ? card.uuid() + "::" + i : card.uuid(), healthy);
            }
        }
        String before = run.notes().put("resource", resource);
        if (before != null && !before.equals(resource)) {
            run.book().withdraw(before);
        }
        if (devices.isEmpty()) {
            Journal.sayOnce(run, now, "I" + Scripts.klog(run.startedAt()) + " 1 main.go:301] No devices found. Waiting "
                    + "indefinitely.");
        } else if (!devices.toString().equals(run.notes().put("devices", devices.toString()))
                || !resource.equals(before)) {
            run.book().register(resource, devices);
            describe(run, machine, devices.keySet());
        }
        return new Doing.Goes(true, isOffered(run) ? ground.again(now, WATCH)
                : Instant.MAX);
    }

    private static boolean isOffered(Run run) {
        return run.notes().getOrDefault(OFFERED, "").equals("true");
    }

    private static SharingConfig sharing(Run run) {
        if (run.notes().get(CONFIG).equals(ChosenConfig.EMPTY)) {
            return SharingConfig.NONE;
        }
        try {
            return SharingConfig.parse(run.notes().get(CONFIG));
        } catch (SharingConfig.Malformed e) {
            throw new IllegalStateException("a configuration that was taken cannot be read", e);
        }
    }

    /** NVML tells of what happens while it is listened to: an Xid of before the plugin's start is not told again. [internal/rm/health.go] */
    private static boolean isHealthy(Run run, CardFacts card, Instant now) {
        int xid = card.lost() ? 79 : card.lastXid();
        String heard = run.notes().computeIfAbsent(BEFORE + card.uuid(), key -> Integer.toString(card.lastXid()));
        boolean fresh = card.lost() || !heard.equals(Integer.toString(xid));
        if (fresh && !HARMLESS.contains(xid) && run.notes().putIfAbsent(SICK + card.uuid(), Integer.toString(xid)) == null) {
            String stamp = Scripts.klog(now);
            Journal.say(run, now, "I" + stamp + " 1 health.go:159] XidCriticalError: Xid=" + xid + " on Device="
                    + card.uuid() + ", the device will go unhealthy.");
            Journal.say(run, now, "I" + stamp + " 1 server.go:273] '" + GPU + "' XidCriticalError: marking device as "
                    + "unhealthy: " + card.uuid());
        }
        return !run.notes().containsKey(SICK + card.uuid());
    }

    /** With a CDI strategy it writes what containerd has to do for each device. (facts: cluster.md 1.5) */
    private void describe(Run run, NodeMachine machine, Set<String> devices) {
        if (run.environment("DEVICE_LIST_STRATEGY").orElse("envvar").contains("cdi")) {
            String names = devices.stream().map(id -> id.replaceFirst("::.*", "")).distinct().sorted()
                    .map(id -> "{\"name\":\"" + id + "\"}").collect(Collectors.joining(","));
            machine.write(GpuAccess.PLUGIN_SPEC, "{\"cdiVersion\":\"0.5.0\",\"kind\":"
                    + "\"k8s.device-plugin.nvidia.com/gpu\",\"devices\":[" + names + "]}");
        }
    }

    @Override
    public void ended(Run run, Instant now) {
        if (run.notes().containsKey("devices")) {
            run.book().withdraw(run.notes().get("resource"));
        }
    }
}
