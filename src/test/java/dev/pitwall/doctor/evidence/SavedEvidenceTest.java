package dev.pitwall.doctor.evidence;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.sign.Hint;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SavedEvidenceTest {

    @TempDir
    private Path dir;

    private static Map<String, String> read(Path path) throws Exception {
        Map<String, String> texts = new LinkedHashMap<>();
        new SavedEvidence(path).each(document -> {
            try (InputStream in = ((Document.Stream) document.body()).bytes().open()) {
                texts.put(document.name() + " " + document.hint().wireName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                texts.put(document.name(), "not read");
            }
        });
        return texts;
    }

    @Test
    void aFolderIsReadInTheOrderOfItsNamesWithItsFolders() throws Exception {
        Files.createDirectories(dir.resolve("b"));
        Files.writeString(dir.resolve("b/nvidia-driver-daemonset-x.log"), "two");
        Files.writeString(dir.resolve("01--dmesg--host.txt"), "one");

        assertThat(read(dir)).containsExactly(Map.entry("01--dmesg--host.txt dmesg", "one"),
                Map.entry("b/nvidia-driver-daemonset-x.log pod-log", "two"));
    }

    @Test
    void anArchiveIsReadWithoutBeingUnpacked() throws Exception {
        Path tar = dir.resolve("must-gather.tar.gz");
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(tar)))) {
            byte[] text = "three".getBytes(StandardCharsets.UTF_8);
            TarArchiveEntry entry = new TarArchiveEntry("mg/gpu_operand_pods.descr");
            entry.setSize(text.length);
            out.putArchiveEntry(entry);
            out.write(text);
            out.closeArchiveEntry();
        }
        Path zip = dir.resolve("outputs.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("lspci.txt"));
            out.write("four".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(read(tar)).containsExactly(Map.entry("must-gather.tar.gz/mg/gpu_operand_pods.descr pod-status", "three"));
        assertThat(read(zip)).containsExactly(Map.entry("outputs.zip/lspci.txt lspci", "four"));
        assertThat(read(dir)).hasSize(2);
    }

    @Test
    void aDamagedArchiveIsToldAndDoesNotStopTheRest() throws Exception {
        Files.writeString(dir.resolve("z.txt"), "five");
        byte[] half = new byte[600];
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(Files.newOutputStream(dir.resolve("a.tar")))) {
            TarArchiveEntry entry = new TarArchiveEntry("log");
            entry.setSize(half.length);
            out.putArchiveEntry(entry);
            out.write(half);
            out.closeArchiveEntry();
        }
        byte[] whole = Files.readAllBytes(dir.resolve("a.tar"));
        Files.write(dir.resolve("a.tar"), Arrays.copyOf(whole, 700));

        assertThat(read(dir)).containsEntry("z.txt unknown", "five").containsEntry("a.tar/log", "not read");
    }

    @Test
    void whatIsNotThereOrEmptyIsSaidInOneSentence() {
        assertThatThrownBy(() -> read(dir.resolve("nowhere"))).isInstanceOf(TroubleException.class)
                .hasMessageContaining("there is no such file or folder");
        assertThatThrownBy(() -> read(dir)).isInstanceOf(TroubleException.class).hasMessageContaining("no file in it");
    }

    @Test
    void theNameOfAFileHintsAtItsKind() {
        assertThat(Hint.ofFile("12--pod-log--nvidia_driver.txt")).isEqualTo(Hint.POD_LOG);
        assertThat(Hint.ofFile("logs/dmesg.txt")).isEqualTo(Hint.DMESG);
        assertThat(Hint.ofFile("notes.txt")).isEqualTo(Hint.UNKNOWN);
    }
}
