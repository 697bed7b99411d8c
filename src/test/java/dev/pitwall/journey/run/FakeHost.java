package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.change.Content;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A Proxmox host in memory: files, a kernel that takes over what files say when it boots, and one VM whose configuration
 * waits until it was off. It behaves; it does not answer from a script.
 */
final class FakeHost {
    static final String NAME = "pve1";
    static final int VM = 122;

    final TreeMap<String, Content> files = new TreeMap<>();
    final TreeMap<String, String> config = new TreeMap<>(Map.of("name", "worker", "memory", "4096"));
    TreeMap<String, String> live = new TreeMap<>(config);
    final TreeMap<String, List<String>> mappings = new TreeMap<>();
    final List<String> commands = new ArrayList<>();
    /** What the initramfs, and then the running kernel, has of the files. */
    TreeMap<String, Content> initramfs = new TreeMap<>();
    TreeMap<String, Content> kernel = new TreeMap<>();
    int boots = 1;
    int vmStarts = 1;
    boolean vmOn = true;
    String lock = "";
    boolean guestListens = true;
    boolean managedByHa;
    boolean rebootsOnRequest = true;
    /** So many calls are refused after a reboot. */
    int silentAfterReboot = 2;
    /** So many calls are refused now. */
    int silent;
    int failures;
    boolean shell = true;
    int digest = 1;

    private void reached() throws TroubleException {
        if (silent > 0) {
            silent--;
            throw new TroubleException(new Trouble(Trouble.Kind.CONNECT, NAME, "connection refused", "Wait."));
        }
    }

    private void boot() {
        if (!rebootsOnRequest) {
            return;
        }
        boots++;
        kernel = new TreeMap<>(initramfs);
        silent = silentAfterReboot;
        live = new TreeMap<>(config);
        vmStarts++;
        vmOn = true;
    }

    final Machine machine = new Machine() {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Ran run(List<String> arguments, Duration limit, Consumer<String> lines) throws TroubleException {
            reached();
            String command = String.join(" ", arguments);
            if (command.equals("cat /proc/sys/kernel/random/boot_id")) {
                return ran(0, "boot-" + boots + "\n");
            }
            commands.add(command);
            if (failures > 0) {
                failures--;
                return ran(1, "no space left on device\n");
            }
            lines.accept("doing " + command);
            if (command.startsWith("update-initramfs")) {
                initramfs = new TreeMap<>(files);
            }
            if (command.equals("systemctl reboot")) {
                boot();
            }
            return ran(0, "");
        }

        private Ran ran(int exit, String output) {
            return new Ran(OptionalInt.of(exit), output, "", Duration.ZERO);
        }

        @Override
        public Content read(String path) throws TroubleException {
            reached();
            return files.getOrDefault(path, Content.ABSENT);
        }

        @Override
        public void write(String path, Content content, String copyBefore) throws TroubleException {
            reached();
            if (!copyBefore.isEmpty() && files.containsKey(path)) {
                files.putIfAbsent(copyBefore, files.get(path));
            }
            if (content.absent()) {
                files.remove(path);
            } else {
                files.put(path, content);
            }
        }

        @Override
        public void close() {
        }
    };

    final Proxmox proxmox = new Proxmox() {
        private final String vm = "nodes/" + NAME + "/qemu/" + VM;

        @Override
        public JsonNode get(String path, Map<String, String> query) throws TroubleException {
            return there(path, query).orElseThrow(() -> new TroubleException(
                    new Trouble(Trouble.Kind.PROTOCOL, NAME, "no call " + path, "Look at the fake.")));
        }

        @Override
        public Optional<JsonNode> ifThere(String path) throws TroubleException {
            return there(path, Map.of());
        }

        private Optional<JsonNode> there(String path, Map<String, String> query) throws TroubleException {
            reached();
            JsonNodeFactory json = JsonNodeFactory.instance;
            ObjectNode object = json.objectNode();
            if (path.startsWith("cluster/mapping/pci/")) {
                List<String> entries = mappings.get(path.substring(path.lastIndexOf('/') + 1));
                if (entries == null) {
                    return Optional.empty();
                }
                entries.forEach(object.putArray("map")::add);
                return Optional.of(object);
            }
            if (path.equals(vm + "/config")) {
                (query.containsKey("current") ? live : config).forEach(object::put);
                return Optional.of(object.put("digest", Integer.toString(digest)));
            }
            if (path.equals(vm + "/status/current")) {
                object.put("status", vmOn ? "running" : "stopped").put("qmpstatus", vmOn ? "running" : "stopped");
                if (vmOn) {
                    object.put("pid", 1000 + vmStarts).put("uptime", 60);
                }
                if (!lock.isEmpty()) {
                    object.put("lock", lock);
                }
                return Optional.of(object);
            }
            if (path.equals("nodes/" + NAME + "/qemu")) {
                return Optional.of(json.arrayNode().add(object.put("vmid", VM).put("name", "worker")
                        .put("status", vmOn ? "running" : "stopped")));
            }
            if (path.equals("nodes/" + NAME + "/lxc")) {
                return Optional.of(json.arrayNode());
            }
            if (path.equals("nodes/" + NAME + "/status")) {
                return Optional.of(object.put("uptime", 3600 / boots));
            }
            return Optional.empty();
        }

        @Override
        public Optional<String> send(Call call) throws TroubleException {
            reached();
            String what = call.method() + " " + call.path();
            commands.add(what);
            if (what.equals("PUT " + vm + "/config") || what.equals("POST " + vm + "/config")) {
                return configure(call.parameters());
            }
            if (what.equals("POST " + vm + "/status/shutdown")) {
                vmOn = vmOn && !guestListens;
                return Optional.of(managedByHa ? "UPID:hastop" : "UPID:qmshutdown");
            }
            if (what.equals("POST " + vm + "/status/start")) {
                if (vmOn) {
                    return Optional.of("UPID:already");
                }
                vmOn = true;
                vmStarts++;
                live = new TreeMap<>(config);
                return Optional.of("UPID:qmstart");
            }
            if (what.equals("POST nodes/" + NAME + "/status")) {
                boot();
                return Optional.empty();
            }
            if (call.path().startsWith("cluster/mapping/pci")) {
                map(call);
                return Optional.empty();
            }
            throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, NAME, "no call " + what, "Look at the fake."));
        }

        private void map(Call call) {
            String id = call.method() == Method.POST ? call.parameters().get("id").getFirst()
                    : call.path().substring(call.path().lastIndexOf('/') + 1);
            if (call.method() == Method.DELETE) {
                mappings.remove(id);
            } else {
                mappings.put(id, call.parameters().get("map"));
            }
        }

        private Optional<String> configure(Map<String, List<String>> parameters) throws TroubleException {
            if (!parameters.get("digest").equals(List.of(Integer.toString(digest)))) {
                throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, NAME,
                        "checksum mismatch (file change by other user?)", "Read it again."));
            }
            digest++;
            parameters.forEach((key, values) -> {
                if (key.equals("delete")) {
                    List.of(values.getFirst().split(",")).forEach(config::remove);
                } else if (!key.equals("digest")) {
                    config.put(key, values.getFirst());
                }
            });
            if (!vmOn) {
                live = new TreeMap<>(config);
            }
            return Optional.empty();
        }

        @Override
        public TaskEnd await(String upid, Duration limit, Consumer<String> lines) throws TroubleException {
            reached();
            boolean ok = !upid.contains("already") && (!upid.contains("shutdown") || !vmOn);
            return new TaskEnd(ok, ok ? "WARNINGS: 1" : "VM quit/powerdown failed - got timeout", List.of());
        }

        @Override
        public Caller caller() {
            return new Caller("root@pam", false);
        }

        @Override
        public void close() {
        }
    };

    /** All that a run may leave behind, except copies and counts. */
    String state() {
        TreeMap<String, String> texts = new TreeMap<>();
        files.forEach((path, content) -> {
            if (!path.startsWith("/var/backups/")) {
                texts.put(path, content.text());
            }
        });
        return "files " + texts + " kernel " + kernelTexts() + " config " + config + " live " + live + " mappings "
                + mappings + " on " + vmOn;
    }

    private TreeMap<String, String> kernelTexts() {
        TreeMap<String, String> texts = new TreeMap<>();
        kernel.forEach((path, content) -> {
            if (!path.startsWith("/var/backups/")) {
                texts.put(path, content.text());
            }
        });
        return texts;
    }
}
