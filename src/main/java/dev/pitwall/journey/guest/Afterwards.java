package dev.pitwall.journey.guest;

import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HelmChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.ManifestChange;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.ModelAsk;
import dev.pitwall.journey.change.ModelChange;
import dev.pitwall.journey.change.NodeReboot;
import dev.pitwall.journey.change.PackageChange;
import dev.pitwall.journey.change.PodRestart;
import dev.pitwall.journey.change.PodRun;
import dev.pitwall.journey.change.TalosConfigChange;
import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.VmRemoval;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.journey.survey.VmSurvey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** What would be read once changes of a VM step are made, as far as today tells: what a later step foresees rests on it. */
final class Afterwards {
    private Afterwards() {
    }

    static Situation of(Situation now, List<Change> changes) {
        Situation then = now;
        for (Change change : changes) {
            then = switch (change) {
                case VmConfigChange c -> configured(then, c);
                case MappingChange c -> mapped(then, c);
                case VmCreation c -> made(then, c);
                // What they alter is no part of what the steps of a VM rest on.
                case FileChange c -> then;
                case CommandChange c -> then;
                case HostReboot c -> then;
                case VmRemoval c -> then;
                case VmPowerCycle c -> then;
                case ManifestChange c -> then;
                case HelmChange c -> then;
                case TalosUpgrade c -> then;
                case TalosConfigChange c -> then;
                case PackageChange c -> then;
                case NodeReboot c -> then;
                case PodRun c -> then;
                case ModelChange c -> then;
                case ModelAsk c -> then;
                case PodRestart c -> then;
            };
        }
        return then;
    }

    private static Situation configured(Situation s, VmConfigChange change) {
        Optional<VmSurvey> vm = s.vm().filter(v -> v.vmid() == change.vmid());
        return vm.isEmpty() ? s : s.with(vm.get().configured(with(vm.get().config(), change)))
                .on(s.host().withGuests(s.host().guests().stream()
                        .map(g -> g.id() == change.vmid() ? g.configured(with(g.config(), change)) : g).toList()));
    }

    private static SortedMap<String, String> with(Map<String, String> config, VmConfigChange change) {
        SortedMap<String, String> then = new TreeMap<>(config);
        change.after().forEach((key, value) ->
                value.ifPresentOrElse(v -> then.put(key, v), () -> then.remove(key)));
        return then;
    }

    private static Situation mapped(Situation s, MappingChange change) {
        Optional<DatacenterSurvey> datacenter = s.datacenter();
        if (datacenter.flatMap(DatacenterSurvey::mappings).isEmpty()) {
            return s;
        }
        SortedMap<String, List<String>> then = new TreeMap<>(datacenter.get().mappings().orElseThrow());
        change.after().ifPresentOrElse(entries -> then.put(change.id(), entries), () -> then.remove(change.id()));
        return s.in(datacenter.get().mapping(then));
    }

    /** A VM that was made is off. A copy has what its template has, where it is not set otherwise. */
    private static Situation made(Situation s, VmCreation change) {
        SortedMap<String, String> config = switch (change.origin()) {
            case VmCreation.Template(int vmid, Optional<String> storage) -> ofTemplate(s, vmid);
            case VmCreation.Blank() -> new TreeMap<>();
        };
        config.putAll(change.settings());
        config.put("name", change.name());
        boolean onboot = config.getOrDefault("onboot", "0").equals("1");
        List<Guest> guests = new ArrayList<>(s.host().guests());
        guests.add(new Guest(change.vmid(), change.name(), "qemu", "stopped", onboot, config));
        return s.on(s.host().withGuests(guests)).with(new VmSurvey(change.node(), change.vmid(), change.name(), config,
                config, "", "stopped", Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty(),
                Optional.empty(), List.of(), s.datacenter().orElseThrow().caller(), Optional.empty(), Map.of()));
    }

    private static SortedMap<String, String> ofTemplate(Situation s, int vmid) {
        SortedMap<String, String> config = new TreeMap<>();
        s.host().guests().stream().filter(g -> g.id() == vmid).findFirst().ifPresent(g -> config.putAll(g.config()));
        config.remove("template");
        return config;
    }
}
