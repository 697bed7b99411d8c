package dev.pitwall.journey.run;

import dev.pitwall.journey.Journal.Intended;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.Drain;
import dev.pitwall.journey.change.NodeDown;
import dev.pitwall.journey.change.VmPowerCycle;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class PreviewTest {
    private static final String PATH = "/etc/modprobe.d/zz-pitwall.conf";

    private static Optional<String> difference(Change shown, Change now, String... altered) {
        return new Preview(List.of(new Intended("bind", shown)), Set.of(altered))
                .otherThanShown(List.of(new Intended("bind", now)));
    }

    private static FileChange file(String before, String after) {
        return new FileChange("pve1", PATH, Content.of(before), Content.of(after), "");
    }

    private static MappingChange mapping(String... entries) {
        return new MappingChange("pve1", "gpu", Optional.empty(), Optional.of(List.of(entries)), "");
    }

    private static VmConfigChange config(Map<String, Optional<String>> before, Map<String, Optional<String>> after) {
        return new VmConfigChange("pve1", 110, new TreeMap<>(before), new TreeMap<>(after), "");
    }

    private static HostReboot reboot(Integer... guests) {
        return new HostReboot("pve1", Stream.of(guests).map(id -> new HostReboot.Guest(id, "vm" + id, true)).toList(),
                Duration.ofMinutes(2), Duration.ofMinutes(9));
    }

    @Test
    void aStepMakesWhatWasShownOfItAndNotWhatWasShownOfAnother() {
        Preview preview = new Preview(List.of(new Intended("bind", reboot(110))), Set.of());

        assertThat(preview.otherThanShown(List.of(new Intended("bind", reboot(110))))).isEmpty();
        assertThat(preview.otherThanShown(List.of(new Intended("idle-power", reboot(110)))))
                .hasValueSatisfying(why -> assertThat(why).contains("Reboot pve1 was not shown"));
    }

    @Test
    void aFileMustBeAsItWasUnlessTheWalkItselfHasWrittenIt() {
        assertThat(difference(file("a\n", "a\nb\n"), file("a\n", "a\nb\n"))).isEmpty();
        assertThat(difference(file("a\n", "a\nb\n"), file("x\n", "x\nb\n")).orElseThrow()).contains("another content");
        assertThat(difference(file("a\n", "b\n"), file("x\n", "b\n")).orElseThrow()).contains("has changed since");
        assertThat(difference(file("a\n", "b\n"), file("x\n", "b\n"), "file pve1 " + PATH)).isEmpty();
    }

    @Test
    void aValueThatCouldOnlyBeReadLaterMayBeAnyAndOthersMayNot() {
        MappingChange shown = mapping("id=10de:25b0,iommugroup=?,node=pve1,path=0000:01:00");

        assertThat(difference(shown, mapping("node=pve1,path=0000:01:00,id=10de:25b0,iommugroup=14"))).isEmpty();
        assertThat(difference(shown, mapping("id=10de:25b0,iommugroup=14,node=pve1,path=0000:02:00"))).isPresent();
        assertThat(difference(shown, mapping("id=10de:25b0,node=pve1,path=0000:01:00"))).isPresent();
        assertThat(difference(shown, mapping("id=10de:25b0,iommugroup=14,mdev=1,node=pve1,path=0000:01:00"))).isPresent();
    }

    @Test
    void ofAConfigurationLessMayBeMadeAndNothingElse() {
        VmConfigChange shown = config(Map.of("cpu", Optional.of("kvm64"), "balloon", Optional.empty()),
                Map.of("cpu", Optional.of("host"), "balloon", Optional.of("0")));

        assertThat(difference(shown, config(Map.of("cpu", Optional.of("kvm64")), Map.of("cpu", Optional.of("host"))))).isEmpty();
        assertThat(difference(shown, config(Map.of("cpu", Optional.of("qemu64")), Map.of("cpu", Optional.of("host"))))
                .orElseThrow()).isEqualTo("cpu of VM 110 was \"kvm64\" when it was shown, and is \"qemu64\" now");
        assertThat(difference(shown, config(Map.of("machine", Optional.empty()), Map.of("machine", Optional.of("q35"))))
                .orElseThrow()).isEqualTo("machine of VM 110 would become \"q35\", which was not shown");
        assertThat(difference(shown, config(Map.of("cpu", Optional.of("of the template")), Map.of("cpu", Optional.of("host"))),
                "vm pve1 110")).as("the walk has made the VM").isEmpty();
    }

    @Test
    void noOtherGuestMayStopThanWasShown() {
        assertThat(difference(reboot(101, 110), reboot(101))).isEmpty();
        assertThat(difference(reboot(101), reboot(101, 110)).orElseThrow()).contains("guest 110 (vm110)");
    }

    @Test
    void podsComeAndGoButNoneIsLostThatWasNotShown() {
        Drain.Pod made = new Drain.Pod("web", "page-7x", "ReplicaSet page", false);
        Drain.Pod single = new Drain.Pod("web", "by-hand", "", false);

        assertThat(difference(powerCycle(), powerCycle(made))).isEmpty();
        assertThat(difference(powerCycle(made, single), powerCycle(single))).isEmpty();
        assertThat(difference(powerCycle(made), powerCycle(made, single)).orElseThrow()).contains("pod web/by-hand");
    }

    private static VmPowerCycle powerCycle(Drain.Pod... pods) {
        Drain drain = new Drain("cluster", "gpu-1", List.of(pods), Drain.Whom.ALL, Duration.ofMinutes(5));
        return new VmPowerCycle("pve1", 110, "gpu-1", Optional.of(new NodeDown("gpu-1", 110, Optional.of(drain), List.of())),
                Duration.ofMinutes(3), Duration.ofMinutes(5));
    }
}
