package dev.pitwall.journey.run;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.HostLocks;
import dev.pitwall.journey.Journal;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Proxmox;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.Stop;
import dev.pitwall.journey.Surveys;
import dev.pitwall.journey.Systems;
import dev.pitwall.journey.Watcher;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.KernelCommandLine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A host, a journal, and engines on them: one after the other, as after a crash, or two at once. */
final class Rig {
    static final Situation.Subject CARD = new Situation.Subject("pve1/0000:01:00", "RTX A1000", FakeHost.NAME,
            PciAddress.parse("0000:01:00").orElseThrow());
    static final String SITE = "site";

    final FakeHost host = new FakeHost();
    final FakeJournal journal = new FakeJournal();
    private final AtomicLong seconds = new AtomicLong(1_000_000);
    private final Set<String> taken = new HashSet<>();
    final HostLocks locks = name -> taken.add(name)
            ? Optional.<HostLocks.Held>of(() -> taken.remove(name)) : Optional.empty();

    SiteJourney engine() {
        return engine(journal, systems());
    }

    /** An engine that dies at the n-th point, counted from 1, at which something is written or made. */
    SiteJourney dyingAt(Death death) {
        return engine(death.of(journal), systems(death.of(host.machine), death.of(host.proxmox)));
    }

    private SiteJourney engine(Journal kept, Systems systems) {
        Patience patience = new Patience(() -> Instant.ofEpochSecond(seconds.get()),
                time -> seconds.addAndGet(Math.max(1, time.toSeconds())), Duration.ofSeconds(2), Duration.ofMinutes(5),
                Duration.ofMinutes(3));
        return new SiteJourney(new SiteJourney.Equipment(SITE, systems, surveys(), FakeSteps.ladder(), kept, locks,
                patience));
    }

    Systems systems() {
        return systems(host.machine, host.proxmox);
    }

    private Systems systems(Machine machine, Proxmox proxmox) {
        return new Systems() {
            @Override
            public Machine machine(String name) throws TroubleException {
                if (!host.shell) {
                    throw new TroubleException(new Trouble(Trouble.Kind.MISSING, name, "no shell", "Add one."));
                }
                return machine;
            }

            @Override
            public Proxmox proxmox(String node) {
                return proxmox;
            }

            @Override
            public void close() {
            }
        };
    }

    Surveys surveys() {
        return (systems, card, choices) -> {
            TreeMap<String, Content> files = new TreeMap<>();
            for (String path : List.of(FakeSteps.BOOT_FILE, FakeSteps.BIND_FILE)) {
                files.put(path, systems.machine(card.host()).read(path));
            }
            return new Situation(card, choices, survey(files), Optional.of(vm()));
        };
    }

    private HostSurvey survey(TreeMap<String, Content> files) {
        TreeMap<String, String> kernel = new TreeMap<>();
        host.kernel.forEach((path, content) -> kernel.put(path, content.text()));
        return new HostSurvey(FakeHost.NAME, Optional.of("8.4.14"), "6.8.12", "boot-" + host.boots, 60, "GenuineIntel",
                true, "", new KernelCommandLine(KernelCommandLine.Loader.GRUB, List.of(), List.of()),
                KernelCommandLine.Loader.GRUB, List.of(), List.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of(), kernel,
                files, List.of(), List.of(new HostSurvey.Guest(FakeHost.VM, "worker", "qemu",
                host.vmOn ? "running" : "stopped", true, Map.of())), List.of(), Map.of());
    }

    private VmSurvey vm() {
        return new VmSurvey(FakeHost.NAME, FakeHost.VM, "worker", host.config, host.live, "", "running", Optional.empty(),
                Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(), List.of(),
                new Proxmox.Caller("root@pam", false), Optional.empty(), Map.of());
    }

    RunRecord walk(String last) throws TroubleException, InterruptedException {
        return engine().walk(CARD, Choices.NONE, last, Watcher.NONE, new Stop());
    }

    RunRecord undo(long run) throws TroubleException, InterruptedException {
        return engine().undo(run, Watcher.NONE, new Stop());
    }
}
