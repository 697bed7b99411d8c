package dev.pitwall.lab.kube.admit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.pitwall.lab.kube.object.Containers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The levels of the Pod Security Standards with their checks, in the order and the words of k8s.io/pod-security-admission: the
 * baseline's checks by name, then the restricted ones'.
 */
enum PodSecurityLevel {
    PRIVILEGED, BASELINE, RESTRICTED;

    private static final Set<String> CAPABILITIES = Set.of("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID",
            "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT");
    private static final Set<String> SYSCTLS = Set.of("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range",
            "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");
    private static final Set<String> VOLUMES = Set.of("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral",
            "persistentVolumeClaim", "projected", "secret", "image");

    /** Anything but a known level is privileged: a label that is not understood enforces nothing. */
    static PodSecurityLevel of(String label) {
        return switch (label) {
            case "baseline" -> BASELINE;
            case "restricted" -> RESTRICTED;
            default -> PRIVILEGED;
        };
    }

    List<String> violations(JsonNode spec) {
        List<String> found = new ArrayList<>();
        if (this != PRIVILEGED) {
            baseline(spec, found);
        }
        if (this == RESTRICTED) {
            restricted(spec, found);
        }
        return found;
    }

    private void baseline(JsonNode spec, List<String> found) {
        if (this == BASELINE) {
            addedCapabilities(spec, found);
        }
        hostNamespaces(spec, found);
        if (this == BASELINE) {
            List<String> paths = new ArrayList<>();
            spec.path("volumes").forEach(volume -> {
                if (volume.has("hostPath")) {
                    paths.add(volume.path("name").asText());
                }
            });
            if (!paths.isEmpty()) {
                found.add("hostPath volumes (" + plural("volume", paths) + ")");
            }
        }
        hostPorts(spec, found);
        List<String> privileged = named(spec, container -> container.at("/securityContext/privileged").asBoolean());
        if (!privileged.isEmpty()) {
            found.add("privileged (" + plural("container", privileged) + " must not set securityContext.privileged=true)");
        }
        if (this == BASELINE) {
            unconfined(spec, found);
        }
        sysctls(spec, found);
    }

    private static void restricted(JsonNode spec, List<String> found) {
        List<String> escalating = named(spec, container ->
                container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true));
        if (!escalating.isEmpty()) {
            found.add("allowPrivilegeEscalation != false (" + plural("container", escalating)
                    + " must set securityContext.allowPrivilegeEscalation=false)");
        }
        unrestrictedCapabilities(spec, found);
        volumeTypes(spec, found);
        boolean podNonRoot = spec.at("/securityContext/runAsNonRoot").asBoolean();
        List<String> root = named(spec, container -> {
            JsonNode own = container.at("/securityContext/runAsNonRoot");
            return own.isBoolean() ? !own.asBoolean() : !podNonRoot;
        });
        if (!root.isEmpty()) {
            found.add("runAsNonRoot != true (pod or " + plural("container", root)
                    + " must set securityContext.runAsNonRoot=true)");
        }
        rootUser(spec, found);
        seccomp(spec, found);
    }

    private static void addedCapabilities(JsonNode spec, List<String> found) {
        Set<String> added = new LinkedHashSet<>();
        List<String> who = named(spec, container -> {
            boolean any = false;
            for (JsonNode capability : container.at("/securityContext/capabilities/add")) {
                if (!CAPABILITIES.contains(capability.asText())) {
                    added.add(capability.asText());
                    any = true;
                }
            }
            return any;
        });
        if (!who.isEmpty()) {
            found.add("non-default capabilities (" + plural("container", who) + " must not include " + quoted(added)
                    + " in securityContext.capabilities.add)");
        }
    }

    private static void hostNamespaces(JsonNode spec, List<String> found) {
        String used = List.of("hostNetwork", "hostPID", "hostIPC").stream().filter(name -> spec.path(name).asBoolean())
                .map(name -> name + "=true").collect(Collectors.joining(", "));
        if (!used.isEmpty()) {
            found.add("host namespaces (" + used + ")");
        }
    }

    private static void hostPorts(JsonNode spec, List<String> found) {
        Set<String> ports = new LinkedHashSet<>();
        List<String> who = named(spec, container -> {
            boolean any = false;
            for (JsonNode port : container.path("ports")) {
                if (port.path("hostPort").asInt(0) != 0) {
                    ports.add(port.path("hostPort").asText());
                    any = true;
                }
            }
            return any;
        });
        if (!who.isEmpty()) {
            found.add("hostPort (" + plural("container", who) + (who.size() == 1 ? " uses" : " use") + " hostPort"
                    + (ports.size() == 1 ? " " : "s ") + String.join(", ", ports) + ")");
        }
    }

    private static void unconfined(JsonNode spec, List<String> found) {
        List<String> who = named(spec, container -> container.at("/securityContext/seccompProfile/type").asText("")
                .equals("Unconfined"));
        boolean pod = spec.at("/securityContext/seccompProfile/type").asText("").equals("Unconfined");
        if (pod || !who.isEmpty()) {
            String whose = pod && who.isEmpty() ? "pod" : pod ? "pod and " + plural("container", who)
                    : plural("container", who);
            found.add("seccompProfile (" + whose + " must not set securityContext.seccompProfile.type to \"Unconfined\")");
        }
    }

    private static void sysctls(JsonNode spec, List<String> found) {
        List<String> unsafe = new ArrayList<>();
        spec.at("/securityContext/sysctls").forEach(sysctl -> {
            if (!SYSCTLS.contains(sysctl.path("name").asText())) {
                unsafe.add(sysctl.path("name").asText());
            }
        });
        if (!unsafe.isEmpty()) {
            found.add("forbidden sysctls (" + String.join(", ", unsafe) + ")");
        }
    }

    private static void unrestrictedCapabilities(JsonNode spec, List<String> found) {
        List<String> keeping = named(spec, container -> {
            for (JsonNode dropped : container.at("/securityContext/capabilities/drop")) {
                if (dropped.asText().equals("ALL")) {
                    return false;
                }
            }
            return true;
        });
        Set<String> added = new LinkedHashSet<>();
        List<String> adding = named(spec, container -> {
            boolean any = false;
            for (JsonNode capability : container.at("/securityContext/capabilities/add")) {
                if (!capability.asText().equals("NET_BIND_SERVICE")) {
                    added.add(capability.asText());
                    any = true;
                }
            }
            return any;
        });
        List<String> parts = new ArrayList<>();
        if (!keeping.isEmpty()) {
            parts.add(plural("container", keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        if (!adding.isEmpty()) {
            parts.add(plural("container", adding) + " must not include " + quoted(added)
                    + " in securityContext.capabilities.add");
        }
        if (!parts.isEmpty()) {
            found.add("unrestricted capabilities (" + String.join("; ", parts) + ")");
        }
    }

    private static void volumeTypes(JsonNode spec, List<String> found) {
        List<String> names = new ArrayList<>();
        Set<String> types = new LinkedHashSet<>();
        for (JsonNode volume : spec.path("volumes")) {
            volume.fieldNames().forEachRemaining(field -> {
                if (!field.equals("name") && !VOLUMES.contains(field)) {
                    names.add(volume.path("name").asText());
                    types.add(field);
                }
            });
        }
        if (!names.isEmpty()) {
            found.add("restricted volume types (" + plural("volume", names) + (names.size() == 1 ? " uses" : " use")
                    + " restricted volume type" + (types.size() == 1 ? " " : "s ") + quoted(types) + ")");
        }
    }

    private static void rootUser(JsonNode spec, List<String> found) {
        boolean pod = spec.at("/securityContext/runAsUser").isNumber()
                && spec.at("/securityContext/runAsUser").asLong() == 0;
        List<String> who = named(spec, container -> container.at("/securityContext/runAsUser").isNumber()
                && container.at("/securityContext/runAsUser").asLong() == 0);
        if (pod || !who.isEmpty()) {
            String whose = pod && who.isEmpty() ? "pod" : pod ? "pod and " + plural("container", who)
                    : plural("container", who);
            found.add("runAsUser=0 (" + whose + " must not set runAsUser=0)");
        }
    }

    private static void seccomp(JsonNode spec, List<String> found) {
        Set<String> good = Set.of("RuntimeDefault", "Localhost");
        boolean pod = good.contains(spec.at("/securityContext/seccompProfile/type").asText(""));
        List<String> who = named(spec, container -> {
            String own = container.at("/securityContext/seccompProfile/type").asText("");
            return own.isEmpty() ? !pod : !good.contains(own);
        });
        if (!who.isEmpty()) {
            found.add("seccompProfile (pod or " + plural("container", who) + " must set"
                    + " securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
        }
    }

    private static List<String> named(JsonNode spec, Predicate<ObjectNode> which) {
        return Containers.of(spec).stream().filter(which).map(container -> container.path("name").asText()).toList();
    }

    private static String plural(String noun, List<String> names) {
        return noun + (names.size() == 1 ? " " : "s ") + quoted(names);
    }

    private static String quoted(Iterable<String> names) {
        StringBuilder text = new StringBuilder();
        names.forEach(name -> text.append(text.isEmpty() ? "" : ", ").append('"').append(name).append('"'));
        return text.toString();
    }
}
