package dev.pitwall.ui.change;

import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Changes to be shown. */
public final class SampleChanges {

    private SampleChanges() {
    }

    public static FileChange file(String path, Content before, Content after) {
        return new FileChange("pve2", path, before, after, "new file");
    }

    public static CommandChange command(String... arguments) {
        return new CommandChange("pve2", List.of(arguments), "", Duration.ofSeconds(40), Duration.ofMinutes(5));
    }

    public static HostReboot reboot(String host, HostReboot.Guest... guests) {
        return new HostReboot(host, List.of(guests), Duration.ofMinutes(2), Duration.ofMinutes(10));
    }

    public static VmPowerCycle cycle(int vmid) {
        return new VmPowerCycle("pve2", vmid, "gpu-a", Duration.ofMinutes(3), Duration.ofMinutes(2));
    }

    public static VmConfigChange config(Map<String, String> before, Map<String, String> after) {
        TreeMap<String, Optional<String>> was = new TreeMap<>();
        TreeMap<String, Optional<String>> will = new TreeMap<>();
        List.of(before, after).forEach(m -> m.keySet().forEach(key -> {
            was.put(key, Optional.ofNullable(before.get(key)));
            will.put(key, Optional.ofNullable(after.get(key)));
        }));
        return new VmConfigChange("pve2", 122, was, will, "keys");
    }
}
