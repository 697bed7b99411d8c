package dev.pitwall.lab.kube;

import dev.pitwall.lab.kube.store.*;
import dev.pitwall.lab.kube.store.Resource;
import dev.pitwall.lab.scene.*;
import java.nio.file.*;
import java.util.*;

public final class BootProbe {
    public static void main(String[] a) throws Exception {
        for (String scene : a) {
            long t = System.nanoTime(); long cpu = ((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime(); long th = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Path dir = Files.createTempDirectory("boot");
            KubeLab lab = scene.equals("fleet") ? KubeLab.fleet(dir, new Fleet.Size(16, 64, 200, 5000)) : KubeLab.scene(dir, scene);
            System.out.println("== " + scene + " " + (System.nanoTime() - t) / 1000000 + " ms, cpu " + (((com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() - cpu) / 1000000 + " thread " + (java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - th) / 1000000);
            Map<String, Integer> phases = new TreeMap<>();
            for (StoredObject o : lab.server.store().list(Resource.PODS, "").objects()) {
                var p = o.tree();
                String st = p.at("/status/phase").asText();
                boolean ready = p.at("/status/containerStatuses/0/ready").asBoolean();
                phases.merge(o.key().namespace() + " " + st + " " + ready, 1, Integer::sum);
                if (!scene.equals("fleet") && !(st.equals("Running") && ready) && !st.equals("Succeeded")) {
                    System.out.println("   " + o.key().namespace() + "/" + o.key().name() + " " + st + " node=" + p.at("/spec/nodeName").asText()
                        + " " + p.at("/status/containerStatuses/0/state") + " " + p.at("/status/initContainerStatuses") .toString().replaceAll("\"(image|imageID|containerID)\":\"[^\"]*\",?", "")
                        + (st.equals("Pending") ? " " + p.at("/status/conditions/0/message").asText() : ""));
                }
            }
            Map<String, Integer> why = new TreeMap<>();
            for (StoredObject o : lab.server.store().list(Resource.PODS, "").objects())
                if (o.tree().at("/status/phase").asText().equals("Pending")) why.merge(o.key().namespace() + " " + o.key().name().replaceAll("-[a-z0-9]*$", "") + o.tree().at("/status/conditions").toString().replaceAll(".*message\":\"([^\"]*).*", "$1"), 1, Integer::sum);
            why.forEach((k, v) -> System.out.println("  why " + v + " " + k));
            phases.forEach((k, v) -> System.out.println("  " + v + " " + k));
            long ev = lab.server.store().list(Resource.EVENTS, "").objects().size();
            System.out.println("  events " + ev + " revision " + lab.server.store().revision());
            System.gc();
            System.out.println("  heap MB " + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1000000);
            if (System.getProperty("hold") != null) { System.out.println(lab.kubeconfig); Thread.sleep(3600_000); }
            lab.close();
        }
        System.exit(0);
    }
}
