package dev.pitwall.journey.host;

import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Step;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds of every plan: made once it is done, at the cost of one reboot; made again it changes nothing; taken back it
 * leaves the bytes that were there. The hosts are drawn by chance from the kinds that people have.
 */
class HostPlansTest {
    private static final int HOSTS = 250;
    private static final List<String> KERNELS = List.of("5.15.102-1-pve", "6.2.16-3-pve", "6.5.13-1-pve",
            "6.8.12-4-pve", "6.14.8-2-pve");
    private static final List<String> SWITCHES = List.of("", "", "intel_iommu=on", "intel_iommu=off", "amd_iommu=off",
            "iommu=off", "iommu=pt");
    private static final List<String> ADMINS = List.of("", "", "blacklist nouveau\n",
            "options vfio-pci ids=8086:1572 disable_vga=1\n", "blacklist nvidia\nblacklist nouveau\n",
            "options vfio-pci ids=10de:25b0\nsoftdep snd_hda_intel pre: vfio-pci\n", "softdep nouveau pre: vfio-pci");
    private static final List<String> DRIVERS = List.of("nouveau", "nvidia", "");

    static IntStream seeds() {
        return IntStream.range(0, HOSTS);
    }

    private final Random chance = new Random(0);

    @ParameterizedTest
    @MethodSource("seeds")
    void aPlanIsDoneOnceAndComesBackWhole(int seed) {
        chance.setSeed(seed);
        HostBuilder host = draw();
        Map<String, Content> before = new TreeMap<>(host.files);
        List<Change> made = new ArrayList<>();
        Reboot reboot = new Reboot(host);

        int reboots = 0;
        for (List<Change> batch = batch(host); !batch.isEmpty(); batch = batch(host)) {
            assertThat(++reboots).as(() -> "again: " + made).isLessThanOrEqualTo(1);
            reboot.write(batch);
            made.addAll(batch);
            reboot.boot();
        }

        assertThat(host.ask("iommu").state()).isEqualTo(State.DONE);
        assertThat(host.ask("group").state()).isEqualTo(State.DONE);
        assertThat(host.ask("bind").state()).isEqualTo(State.DONE);
        assertThat(host.ask("idle-power").state()).isIn(State.DONE, State.NOT_APPLICABLE);
        assertThat(drivers(host, "0000:01:00")).isSubsetOf("vfio-pci", "");
        assertThat(drivers(host, "0000:65:00")).as("the other card stays").doesNotContain("vfio-pci");
        reboot.write(made.reversed().stream().filter(c -> c instanceof FileChange)
                .map(c -> ((FileChange) c).inverse()).toList());
        assertThat(host.files).isEqualTo(before);
    }

    /** The steps that one run makes together: those that may run, up to one that may not. */
    private static List<Change> batch(HostBuilder host) {
        List<Change> batch = new ArrayList<>();
        for (Step step : HostBuilder.STEPS) {
            Answer answer = step.look(host.situation("0000:01:00"));
            switch (answer.state()) {
                case READY -> batch.addAll(answer.changes());
                case DONE, NOT_APPLICABLE -> { }
                case WAITING -> {
                    if (step.nature() == Step.Nature.CHANGES) {
                        return batch;
                    }
                }
                case BLOCKED, UNKNOWN, SKIPPED -> throw new AssertionError(step.id() + ": " + answer.why());
            }
        }
        return batch;
    }

    private static List<String> drivers(HostBuilder host, String slot) {
        return host.survey().slot(HostBuilder.address(slot)).stream().map(f -> f.driver().orElse("")).toList();
    }

    private HostBuilder draw() {
        HostBuilder host = one(List.of(true, false)) ? HostBuilder.withCard() : HostBuilder.amd();
        host.kernel = one(KERNELS);
        String word = word(host);
        boot(host, word);
        String driver = one(DRIVERS);
        host.functions.replaceAll(f -> f.isNvidiaGpu() ? BindStepTest.driver(f, driver) : f);
        if (chance.nextInt(3) == 0) {
            host.lspci("0000:65:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA107GL [RTX A1000] [10de:25b0]"
                    + " (rev a1)\n\tKernel driver in use: nvidia\n\tKernel modules: nvidiafb, nouveau, nvidia\n")
                    .group(20, "0000:65:00.0");
        }
        String admin = one(ADMINS);
        boolean twin = host.functions.size() > 4;
        if (!admin.isEmpty() && !(twin && (admin.contains("25b0") || admin.contains("nvidia\n")))) {
            host.file("/etc/modprobe.d/vfio.conf", admin);
        }
        modules(host);
        choices(host);
        boolean off = !new Reboot(host).runs();
        return off ? host.iommuOff() : host;
    }

    /** AMD's own word on AMD hosts, Intel's on Intel's. */
    private String word(HostBuilder host) {
        String word = one(SWITCHES);
        String other = host.vendor.equals("AuthenticAMD") ? "intel_iommu" : "amd_iommu";
        return word.startsWith(other) ? "" : word;
    }

    private void boot(HostBuilder host, String word) {
        String options = ("quiet " + word).strip();
        if (chance.nextBoolean()) {
            host.cmdline("BOOT_IMAGE=/boot/vmlinuz-" + host.kernel + " root=/dev/mapper/pve-root ro " + options)
                    .file("/etc/default/grub", "GRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX_DEFAULT=\"" + options + "\"\n");
            if (chance.nextBoolean()) {
                host.file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1 boot=zfs\n");
            }
        } else {
            host.cmdline("initrd=\\EFI\\proxmox\\" + host.kernel + "\\initrd.img root=ZFS=rpool/ROOT/pve-1 boot=zfs "
                    + options).file("/etc/kernel/cmdline", "root=ZFS=rpool/ROOT/pve-1 boot=zfs " + options
                    + (chance.nextBoolean() ? "\n" : ""));
        }
    }

    private void modules(HostBuilder host) {
        switch (chance.nextInt(3)) {
            case 0 -> host.file("/etc/modules", "# modules\nvfio\nvfio_pci");
            case 1 -> host.file("/etc/modules-load.d/pitwall.conf", "vfio");
            default -> { }
        }
    }

    private void choices(HostBuilder host) {
        if (chance.nextInt(4) == 0) {
            host.choose("pt", "yes");
        }
        if (chance.nextInt(4) == 0) {
            host.choose("sysfb", "yes");
        }
        if (chance.nextInt(4) == 0) {
            host.choose("acs", one(List.of("downstream", "downstream,multifunction")));
        }
        if (chance.nextInt(3) == 0) {
            host.choose("idle-power", "yes");
        }
    }

    private <T> T one(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }
}
