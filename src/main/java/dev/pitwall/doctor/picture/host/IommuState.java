package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.KernelLog;

/** What the kernel's lines as a whole say of the IOMMU: "IOMMU enabled" alone only says that the option was read. */
public final class IommuState implements Check {

    @Override
    public void look(Picture picture, SignBook book) {
        for (Seen<KernelLog> log : picture.outputs(KernelLog.class)) {
            switch (log.what().iommu().state()) {
                case OFF -> {
                    log.what().events().stream().filter(IommuState::saysOff).findFirst().ifPresent(event -> new Remark(
                            "iommu-off-in-log", "the kernel says that the IOMMU is off").in(book, log, log.shown(event.text())));
                }
                case OPTION_ONLY -> new Remark("iommu-option-only",
                        "the option was read, and no IOMMU was reported").in(book, log, log.shown("IOMMU enabled"));
                case ACTIVE, UNKNOWN -> { }
            }
        }
    }

    /** Interrupt remapping alone may be off while the IOMMU works. */
    private static boolean saysOff(KernelLog.Event event) {
        return event.what().equals("iommu-disabled") && !event.text().contains("interrupt remapping");
    }
}
