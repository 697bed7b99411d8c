package dev.pitwall;

import dev.pitwall.journey.Choices;
import dev.pitwall.journey.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

class ByteForByteTest {
    @TempDir
    static Path dir;

    @Test
    void explore() throws Exception {
        long t = System.nanoTime();
        try (Workshop w = new Workshop(dir); Workshop.Engine e = w.engine(w.lab.site())) {
            t = lap("start", t);
            System.out.println(e.systems().machine("pve1").run("sh", "-c", "find /etc /boot -type f | sort | xargs sha256sum | wc -l; ls -la /etc/pve /etc/pve/qemu-server /boot /boot/grub /etc/default/grub.d /etc/modprobe.d /etc/modules-load.d; find /etc /boot -type d").output());
            t = lap("find", t);
            System.out.println(w.world().<Object>read(x -> x.hosts.get("pve1").files.keySet() + " " + x.hosts.get("pve1").system.images.keySet() + x.hosts.get("pve1").system.folders + x.hosts.get("pve1").system.links));
            for (int i = 0; i < 2; i++) {
            RunRecord run = e.walk(Workshop.card("pve1", "0000:01:00"), Choices.of(Map.of("vm", "110")));
            t = lap("walk", t);
            System.out.println(run.state() + " " + run.note());
            run.changes().forEach(c -> System.out.println(c.position() + " " + c.step() + " " + c.change().kind() + " " + c.change().target() + " " + c.state() + " " + c.mark() + c.message()));
            RunRecord again = e.walk(Workshop.card("pve1", "0000:01:00"), Choices.of(Map.of("vm", "110")));
            t = lap("again", t);
            System.out.println(again.state() + " " + again.note() + e.writes());
            RunRecord undo = e.undo(run.number());
            t = lap("undo", t);
            System.out.println(undo.state() + " " + undo.note());
            undo.changes().forEach(c -> System.out.println(c.position() + " " + c.step() + " " + c.change().kind() + " " + c.change().target() + " " + c.state() + " " + c.mark() + c.message()));
            System.out.println(w.world().<Object>read(x -> x.hosts.get("pve1").files.keySet() + " " + x.hosts.get("pve1").system.images.keySet() + x.hosts.get("pve1").system.folders + x.hosts.get("pve1").system.links));
            }
        }
    }

    static long lap(String what, long t) {
        System.out.println(what + " " + (System.nanoTime() - t) / 1000000 + " ms");
        return System.nanoTime();
    }
}
