package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Step;

import java.util.List;

/** The steps of a card on its Proxmox host. They answer from what was read and never touch a system. */
public final class HostSteps {
    private HostSteps() {
    }

    /** In the order in which they are walked: {@code iommu}, {@code group}, {@code bind}, {@code idle-power}. */
    public static List<Step> all() {
        Sentences texts = new Sentences("journey/host");
        WorkTimes times = new WorkTimes();
        Devices devices = new Devices();
        IommuStep iommu = new IommuStep(texts, times, new FirmwareAdvice());
        GroupStep group = new GroupStep(texts, devices);
        BindStep bind = new BindStep(texts, times, devices, iommu, group);
        return List.of(iommu, group, bind, new IdlePowerStep(texts, times, devices, bind));
    }
}
