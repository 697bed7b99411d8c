package dev.pitwall.journey.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmRemoval;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NewVmTest {
    private static final String UUID = "8d0f8a3e-6f0e-3a44-9a52-0d6f5c8e2b11";
    private static final VmCreation COPY = new VmCreation("pve1", 130, "gpu-pve1", new VmCreation.Template(900,
            Optional.of("local-lvm")), UUID, new TreeMap<>(Map.of("smbios1", "uuid=" + UUID, "balloon", "0")), "copy of 900");
    private static final VmCreation EMPTY = new VmCreation("pve1", 130, "gpu-pve1", new VmCreation.Blank(), UUID,
            new TreeMap<>(Map.of("smbios1", "uuid=" + UUID, "net0", "virtio,bridge=vmbr0")), "empty");
    private static final Optional<String> BEGUN = Optional.of("number was free");

    private final Datacenter datacenter = new Datacenter();

    @Test
    void aCopyIsClonedAndThenSetUp() throws Exception {
        VmCreationMaking making = new VmCreationMaking(COPY, datacenter);
        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.BEFORE);

        making.make(BEGUN);

        assertThat(making.standing(Optional.empty())).isEqualTo(Standing.AFTER);
        assertThat(datacenter.calls).containsExactly("POST nodes/pve1/qemu/900/clone", "POST nodes/pve1/qemu/130/config");
    }

    @Test
    void aCopyThatWasCutBetweenItsTwoCallsIsNotClonedAgain() throws Exception {
        datacenter.vms.put(130, new TreeMap<>(Map.of("name", "gpu-pve1", "smbios1", "uuid=another")));
        VmCreationMaking making = new VmCreationMaking(COPY, datacenter);
        assertThat(making.standing(BEGUN)).isEqualTo(Standing.BEFORE);
        assertThat(making.standing(Optional.empty())).as("of a run that has not begun it, it is a stranger")
                .isInstanceOf(Standing.Other.class);

        making.make(BEGUN);

        assertThat(datacenter.calls).containsExactly("POST nodes/pve1/qemu/130/config");
        assertThat(making.standing(BEGUN)).isEqualTo(Standing.AFTER);
    }

    @Test
    void aCopyThatIsStillBeingMadeIsWaitedFor() {
        datacenter.vms.put(130, new TreeMap<>(Map.of("name", "gpu-pve1", "lock", "clone")));

        assertThatThrownBy(() -> new VmCreationMaking(COPY, datacenter).standing(BEGUN))
                .isInstanceOfSatisfying(TroubleException.class, e -> assertThat(Lost.is(e.trouble())).isTrue());
    }

    @Test
    void anEmptyVmIsMadeByOneCallWhoseValuesProxmoxCompletes() throws Exception {
        VmCreationMaking making = new VmCreationMaking(EMPTY, datacenter);

        making.make(BEGUN);

        assertThat(datacenter.calls).containsExactly("POST nodes/pve1/qemu");
        assertThat(datacenter.vms.get(130)).containsEntry("net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0");
        assertThat(making.standing(BEGUN)).isEqualTo(Standing.AFTER);
    }

    @Test
    void aNumberThatAnotherGuestHasStopsTheRun() throws Exception {
        datacenter.vms.put(130, new TreeMap<>(Map.of("name", "nas")));

        assertThat(new VmCreationMaking(EMPTY, datacenter).standing(BEGUN))
                .isEqualTo(new Standing.Other("number 130 is taken by nas"));
    }

    @Test
    void itsRemovalDestroysOnlyWhatWasMadeAndIsOff() throws Exception {
        new VmCreationMaking(EMPTY, datacenter).make(BEGUN);
        VmRemovalMaking removal = new VmRemovalMaking(EMPTY.inverse(), datacenter);
        datacenter.on = true;
        assertThat(removal.standing(Optional.empty())).isInstanceOfSatisfying(Standing.Other.class,
                o -> assertThat(o.what()).contains("shut it down first"));
        datacenter.on = false;
        assertThat(new VmRemovalMaking(new VmRemoval("pve1", 130, "gpu-pve1", "a-stranger"), datacenter)
                .standing(Optional.empty())).as("what was made is gone").isEqualTo(Standing.AFTER);

        removal.make(Optional.empty());

        assertThat(datacenter.vms).isEmpty();
        assertThat(removal.standing(Optional.empty())).isEqualTo(Standing.AFTER);
    }

    /** Makes, configures and destroys VMs as Proxmox does. */
    private static final class Datacenter implements Proxmox {
        private final TreeMap<Integer, TreeMap<String, String>> vms = new TreeMap<>();
        private final List<String> calls = new ArrayList<>();
        private boolean on;

        @Override
        public JsonNode get(String path, Map<String, String> query) throws TroubleException {
            if (path.equals("cluster/resources") || path.equals("nodes/pve1/qemu")) {
                ArrayNode rows = JsonNodeFactory.instance.arrayNode();
                vms.forEach((id, config) -> rows.addObject().put("vmid", id).put("name", config.get("name"))
                        .put("node", "pve1").put("status", on ? "running" : "stopped"));
                return rows;
            }
            return ifThere(path).orElseThrow(() -> new TroubleException(
                    new Trouble(Trouble.Kind.PROTOCOL, "pve1", "no call " + path, "Look at the fake.")));
        }

        @Override
        public Optional<JsonNode> ifThere(String path) {
            if (!path.endsWith("/config")) {
                return Optional.empty();
            }
            return Optional.ofNullable(vms.get(Integer.parseInt(path.split("/")[3]))).map(config -> {
                ObjectNode node = JsonNodeFactory.instance.objectNode();
                config.forEach(node::put);
                return node;
            });
        }

        @Override
        public Optional<String> send(Call call) {
            calls.add(call.method() + " " + call.path());
            Map<String, String> values = new TreeMap<>();
            call.parameters().forEach((key, list) -> values.put(key, list.getFirst()));
            if (call.path().endsWith("/clone")) {
                vms.put(Integer.parseInt(values.get("newid")),
                        new TreeMap<>(Map.of("name", values.get("name"), "smbios1", "uuid=of-its-own")));
            } else if (call.path().endsWith("/config")) {
                vms.get(130).putAll(values);
            } else if (call.method() == Method.DELETE) {
                vms.remove(130);
            } else {
                int id = Integer.parseInt(values.remove("vmid"));
                values.computeIfPresent("net0", (k, v) -> v.replace("virtio,", "virtio=BC:24:11:00:00:01,"));
                vms.put(id, new TreeMap<>(values));
            }
            return Optional.of("UPID:pve1");
        }

        @Override
        public TaskEnd await(String upid, Duration limit, Consumer<String> lines) {
            return new TaskEnd(true, "OK", List.of());
        }

        @Override
        public Caller caller() {
            return new Caller("root@pam", false);
        }

        @Override
        public void close() {
        }
    }
}
