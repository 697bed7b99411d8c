package dev.pitwall.journey.run;

import dev.pitwall.card.Floor;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.StepTexts;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.HostReboot;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.change.VmPowerCycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Steps of the same shapes as the real ones, on a {@link FakeHost}. They rest on what the survey shows and nothing else. */
final class FakeSteps {
    static final String BOOT_FILE = "/etc/default/grub.d/pitwall.cfg";
    static final String BIND_FILE = "/etc/modprobe.d/zz-pitwall.conf";

    private FakeSteps() {
    }

    static Ladder ladder() {
        return new Ladder(List.of(line("iommu", Floor.FIRMWARE, BOOT_FILE, "iommu=on"), group(),
                line("bind", Floor.VFIO, BIND_FILE, "bind"), line("idle-power", Floor.VFIO, BIND_FILE, "awake"),
                step("vm", Floor.VM, Step.Nature.CHANGES, FakeSteps::vm), attach(), cycle(),
                guest()), StepTexts.load());
    }

    private static Step step(String id, Floor floor, Step.Nature nature, Function<Situation, Answer> look) {
        return new Step() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public Floor floor() {
                return floor;
            }

            @Override
            public Answer look(Situation situation) {
                return look.apply(situation);
            }

            @Override
            public Nature nature() {
                return nature;
            }
        };
    }

    private static Answer answer(Answer.State state, String why) {
        return Answer.of(state, why, List.of());
    }

    /** A line in a file that counts once the initramfs has it and the host has booted with it. */
    private static Step line(String id, Floor floor, String path, String line) {
        return step(id, floor, Step.Nature.CHANGES, s -> {
            if (inKernel(s, path, line)) {
                return answer(Answer.State.DONE, "on");
            }
            if (s.choices().get("refuse").filter(id::equals).isPresent()) {
                return answer(Answer.State.BLOCKED, "the board has no such thing");
            }
            List<Change> changes = new ArrayList<>();
            Content now = s.host().file(path);
            if (!now.text().contains(line + "\n")) {
                changes.add(new FileChange(FakeHost.NAME, path, now, Content.of(now.text() + line + "\n"), "1 line"));
            }
            Answer.Question colour = new Answer.Question("colour", "", List.of(new Answer.Option("red", "", ""),
                    new Answer.Option("green", "", "")), "red");
            changes.add(new CommandChange(FakeHost.NAME, List.of("update-initramfs", "-u", "-k", "all"), "",
                    Duration.ofSeconds(40), Duration.ofMinutes(10)));
            changes.add(new HostReboot(FakeHost.NAME, s.host().guests().stream().filter(g -> g.running())
                    .map(g -> new HostReboot.Guest(g.id(), g.name(), true)).toList(), Duration.ofMinutes(2),
                    Duration.ofMinutes(15)));
            return Answer.ready("off", List.of(), changes).asking(colour);
        });
    }

    private static boolean inKernel(Situation s, String path, String line) {
        return s.host().parameters().getOrDefault(path, "").contains(line + "\n");
    }

    private static Answer vm(Situation s) {
        return s.choices().get("ask").isEmpty() ? answer(Answer.State.DONE, "VM 122")
                : answer(Answer.State.WAITING, "choose a VM").asking(new Answer.Question("vm", "", List.of(
                new Answer.Option("122", "", ""), new Answer.Option("new", "", "")), ""));
    }

    private static Step group() {
        return step("group", Floor.FIRMWARE, Step.Nature.CHECKS, s -> {
            if (!inKernel(s, BOOT_FILE, "iommu=on")) {
                return answer(Answer.State.WAITING, "waits for the IOMMU");
            }
            return s.choices().get("shared").isPresent() ? answer(Answer.State.BLOCKED, "shared with a network card")
                    : answer(Answer.State.DONE, "clean");
        });
    }

    private static Step attach() {
        return step("attach", Floor.VM, Step.Nature.CHANGES, s -> {
            Map<String, String> config = s.vm().orElseThrow().config();
            if (config.containsKey("hostpci0")) {
                return answer(Answer.State.DONE, "attached");
            }
            List<Change> changes = List.of(
                    new MappingChange(FakeHost.NAME, "gpu", Optional.empty(),
                            Optional.of(List.of("node=pve1,path=0000:01:00,id=10de:25b0")), "new mapping"),
                    new VmConfigChange(FakeHost.NAME, FakeHost.VM,
                            new TreeMap<>(Map.of("hostpci0", Optional.empty(), "balloon", Optional.empty(),
                                    "memory", Optional.ofNullable(config.get("memory")))),
                            new TreeMap<>(Map.of("hostpci0", Optional.of("mapping=gpu,pcie=1"), "balloon",
                                    Optional.of("0"), "memory", Optional.of("8192"))), "3 keys"));
            if (s.choices().get("nothing-foreseen").isPresent() && !inKernel(s, BIND_FILE, "bind")) {
                return answer(Answer.State.WAITING, "waits for vfio-pci");
            }
            return inKernel(s, BIND_FILE, "bind") ? Answer.ready("not attached", List.of(), changes)
                    : Answer.waiting("waits for vfio-pci", List.of(), changes);
        });
    }

    private static Step cycle() {
        return step("power-cycle", Floor.VM, Step.Nature.CHANGES, s -> {
            List<Change> changes = List.of(new VmPowerCycle(FakeHost.NAME, FakeHost.VM, "worker", Duration.ofMinutes(3),
                    Duration.ofMinutes(5)));
            if (!s.vm().orElseThrow().config().containsKey("hostpci0")) {
                return Answer.waiting("waits for the card", List.of(), changes);
            }
            return s.vm().get().live().equals(s.vm().get().config()) ? answer(Answer.State.DONE, "nothing pending")
                    : Answer.ready("pending", List.of(), changes);
        });
    }

    private static Step guest() {
        return step("guest", Floor.VM, Step.Nature.CHECKS, s -> s.vm().orElseThrow().live().containsKey("hostpci0")
                ? answer(Answer.State.DONE, "there") : answer(Answer.State.WAITING, "waits for the power cycle"));
    }
}
