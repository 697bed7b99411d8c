package dev.pitwall.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.TroubleException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code pitwall lab}: serves the practice lab until it is stopped. */
@Command(name = "lab", mixinStandardHelpOptions = true,
        description = {"Serves the practice lab: a Proxmox API, SSH hosts, a Kubernetes API, Prometheus and model servers,",
                "all on loopback, all speaking the real protocols. kubectl, ssh and curl work against it."},
        footer = {"", "Stop it with Ctrl+C. DIR gets site.json, kubeconfig, ssh_config and an SSH key.",
                "\"pitwall lab --fault list\" shows the faults of the scene. Its logins are printed when it is ready."})
public final class LabCommand implements Callable<Integer> {
    private final ServeLab labs;
    private final Output output;

    @Option(names = "--scene", paramLabel = "SCENE", defaultValue = "garage",
            description = "garage, talos, metal, workshop, or fleet for a generated one (default: ${DEFAULT-VALUE}).")
    private String scene;

    @Option(names = "--bare", description = {"Begin before the cards were set up for Kubernetes: no driver, no operator,",
            "no model server, and no card in the VM of a node."})
    private boolean bare;

    @Option(names = "--hosts", paramLabel = "N", description = "Scene fleet: number of Proxmox hosts.")
    private Integer hosts;

    @Option(names = "--cards", paramLabel = "N", description = "Scene fleet: number of cards in all.")
    private Integer cards;

    @Option(names = "--nodes", paramLabel = "N", description = "Scene fleet: number of Kubernetes nodes.")
    private Integer nodes;

    @Option(names = "--pods", paramLabel = "N", description = "Scene fleet: number of pods.")
    private Integer pods;

    @Option(names = "--fault", paramLabel = "TRAP[@CARD]", description = {"A fault to begin with; may be repeated.", "\"--fault list\" shows those of the scene."})
    private List<String> faults = List.of();

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = "pitwall-lab",
            description = "Where site.json and kubeconfig are written (default: ${DEFAULT-VALUE}).")
    private Path dir;

    @Option(names = "--seconds", paramLabel = "N", description = "End by itself after N seconds.")
    private Integer seconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
            description = "The same seed gives the same run (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--speed", paramLabel = "X", defaultValue = "1",
            description = "Lab seconds a real second, over 0 and at most 1000 (default: ${DEFAULT-VALUE}).")
    private double speed;

    @Option(names = "--json", description = "Print one JSON document instead of lines.")
    private boolean json;

    public LabCommand(ServeLab labs, Output output) {
        this.labs = labs;
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        LabRequest request = new LabRequest(scene, bare, number(hosts), number(cards), number(nodes), number(pods), faults,
                dir.toAbsolutePath().normalize(), seed, speed);
        if (request.sized() && !scene.equals("fleet")) {
            return output.badUse("--scene", "--hosts, --cards, --nodes and --pods are for the scene fleet, not " + scene);
        }
        if (seconds != null && seconds < 1) {
            return output.badUse("--seconds", "it must be 1 or more, not " + seconds);
        }
        try {
            return faults.contains("list") ? list(request) : serve(request);
        } catch (TroubleException e) {
            return output.trouble(e.trouble());
        }
    }

    private int list(LabRequest request) throws TroubleException {
        List<ServeLab.Fault> possible = labs.faults(request.without("list"));
        if (json) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            possible.forEach(f -> array.addObject().put("trap", f.trap()).put("summary", f.summary()));
            output.json(JsonNodeFactory.instance.objectNode().set("faults", array));
        } else {
            possible.forEach(f -> output.text("%-34s %s%n".formatted(f.trap(), f.summary())));
        }
        return ExitCode.FINE;
    }

    private int serve(LabRequest request) throws TroubleException, InterruptedException {
        try (ServeLab.Served lab = labs.start(request)) {
            announce(lab);
            waitForTheEnd();
            return ExitCode.FINE;
        }
    }

    private void waitForTheEnd() throws InterruptedException {
        if (seconds != null) {
            TimeUnit.NANOSECONDS.sleep(Duration.ofSeconds(seconds).toNanos());
        } else {
            new CountDownLatch(1).await();
        }
    }

    private void announce(ServeLab.Served lab) {
        if (json) {
            output.json(describe(lab));
            return;
        }
        StringBuilder line = new StringBuilder("lab ready");
        lab.endpoints().forEach(e -> line.append(' ').append(e.system()).append('/').append(e.name()).append('=')
                .append(e.address()));
        line.append(" site=").append(lab.siteFile()).append(" kubeconfig=").append(lab.kubeconfig()).append('\n');
        output.text(line.toString());
        output.note("""
                Try it:
                  kubectl --kubeconfig %s get nodes
                  ssh -F %s %s lspci -nnk
                  pitwall status --site %s
                Logins, of this lab only:""".formatted(lab.kubeconfig(), lab.siteFile().resolveSibling("ssh_config"),
                host(lab), lab.siteFile()));
        lab.logins().forEach(login -> output.note("  %-7s %s, password %s%s".formatted(login.system(), login.user(),
                login.password(), login.totp().map(secret -> ", second factor (TOTP) " + secret).orElse(""))));
    }

    /** A machine whose lspci shows a card: the first Proxmox host, or on bare metal the first machine with a shell. */
    private static String host(ServeLab.Served lab) {
        return Stream.of("proxmox", "ssh").flatMap(system -> lab.endpoints().stream()
                .filter(e -> e.system().equals(system))).map(ServeLab.Endpoint::name).findFirst().orElse("HOST");
    }

    private static ObjectNode describe(ServeLab.Served lab) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("site", lab.siteFile().toString()).put("kubeconfig", lab.kubeconfig().toString());
        ArrayNode endpoints = root.putArray("endpoints");
        lab.endpoints().forEach(e -> endpoints.addObject().put("system", e.system()).put("name", e.name())
                .put("address", e.address()));
        return root;
    }

    private static OptionalInt number(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
