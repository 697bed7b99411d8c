package dev.pitwall.journey.survey;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.Systems;
import dev.pitwall.site.Together;
import dev.pitwall.site.Together.Answer;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Reads a VM through the Proxmox API, and its inside through its agent or a shell of it. */
public final class VmSurveyor {
    private final InstantSource clock;

    public VmSurveyor(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param node the Proxmox node that it is on
     * @throws TroubleException if the API does not answer, or has no such VM there
     */
    public VmSurvey survey(Systems systems, String node, int vmid) throws TroubleException, InterruptedException {
        return new Look(systems, systems.proxmox(node), node, vmid).survey();
    }

    /** One look at one VM. */
    private final class Look {
        private final Systems systems;
        private final Proxmox proxmox;
        private final String node;
        private final int vmid;
        private final String path;
        private final Looking looking = new Looking(clock);

        private final Answer<JsonNode> config = new Answer<>();
        private final Answer<JsonNode> live = new Answer<>();
        private final Answer<JsonNode> pending = new Answer<>();
        private final Answer<JsonNode> status = new Answer<>();
        private final Answer<Optional<JsonNode>> ha = new Answer<>();
        private final Answer<BackupJobs> backups = new Answer<>();

        Look(Systems systems, Proxmox proxmox, String node, int vmid) {
            this.systems = systems;
            this.proxmox = proxmox;
            this.node = node;
            this.vmid = vmid;
            this.path = "nodes/" + node + "/qemu/" + vmid;
        }

        /** The digest comes with the configuration that it is of, so both are one answer. */
        VmSurvey survey() throws TroubleException, InterruptedException {
            String resource = "cluster/ha/resources/vm:" + vmid;
            Together.all(List.of(
                    config.from(() -> looking.keep(Showing.CONFIG.key(), node, path + "/config",
                            proxmox.get(path + "/config"))),
                    live.from(() -> looking.keep(Showing.LIVE.key(), node, path + "/config?current=1",
                            proxmox.get(path + "/config", Map.of("current", "1")))),
                    pending.from(() -> looking.keep(Showing.PENDING.key(), node, path + "/pending",
                            proxmox.get(path + "/pending"))),
                    status.from(() -> looking.keep(Showing.STATUS.key(), node, path + "/status/current",
                            proxmox.get(path + "/status/current"))),
                    ha.from(() -> looking.keep(Showing.HA.key(), node, resource, proxmox.ifThere(resource))),
                    backups.from(() -> BackupJobs.read(proxmox, node, looking))));
            Map<String, String> settings = GuestList.settings(config.get());
            String name = settings.getOrDefault("name", "VM " + vmid);
            boolean running = status.get().path("status").asText().equals("running");
            Inside inside = running ? inside(name) : Inside.OFF;
            return new VmSurvey(node, vmid, name, new TreeMap<>(settings),
                    new TreeMap<>(GuestList.settings(live.get())), config.get().path("digest").asText(),
                    status.get().path("status").asText(), running ? text(status.get(), "qmpstatus") : Optional.empty(),
                    text(status.get(), "lock").or(() -> text(config.get(), "lock")),
                    running ? OptionalLong.of(status.get().path("uptime").asLong()) : OptionalLong.empty(),
                    inside.agent(), highAvailability(), backups.get().of(node, vmid), proxmox.caller(),
                    inside.functions(), looking.shown());
        }

        /** The state that its resource is to be kept in; the caller may see that it is managed and not how. */
        private Optional<String> highAvailability() {
            Optional<String> wanted = ha.get().map(resource -> resource.path("state").asText("started"));
            JsonNode seen = status.get().path("ha");
            return wanted.or(() -> seen.path("managed").asInt() == 0 ? Optional.empty()
                    : Optional.of(seen.path("state").asText("started")));
        }

        private Inside inside(String name) throws TroubleException, InterruptedException {
            InsideGuest guest = new InsideGuest(systems, proxmox, node, path, looking, clock);
            Optional<Boolean> agent = hasAgent() ? guest.agent() : Optional.empty();
            Optional<List<PciFunction>> functions = agent.orElse(false) ? guest.throughAgent() : Optional.empty();
            return new Inside(agent, functions.isPresent() ? functions : guest.throughShell(name, uuid()));
        }

        /** Asked of the running VM: the agent's device comes with a power cycle. */
        private boolean hasAgent() {
            String value = live.get().path("agent").asText();
            return Arrays.stream(value.split(",")).map(part -> part.replaceFirst("^enabled=", ""))
                    .anyMatch(part -> part.matches("1|on|yes|true"));
        }

        private Optional<String> uuid() {
            return Arrays.stream(live.get().path("smbios1").asText().split(","))
                    .filter(part -> part.startsWith("uuid="))
                    .map(part -> part.substring(5)).findFirst();
        }
    }

    private static Optional<String> text(JsonNode data, String field) {
        return Optional.of(data.path(field).asText()).filter(text -> !text.isEmpty());
    }

    /** What was seen of the guest from its inside. */
    private record Inside(Optional<Boolean> agent, Optional<List<PciFunction>> functions) {
        static final Inside OFF = new Inside(Optional.empty(), Optional.empty());
    }
}
