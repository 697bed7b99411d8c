package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.Site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A site in a file, to be carried to another computer, kept in version control or named on the command line.
 *
 * <p>Paths in it are relative to its folder; {@code ~/} is the person's home. Fields it does not know are ignored.
 * Secrets may stand in it; they are read into memory and go nowhere else. Writing never writes a secret.
 */
public final class SiteFile {
    private final Path file;

    public SiteFile(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    /** @param secrets those that stand in the file, in memory */
    public record Loaded(Site site, Secrets secrets) {
    }

    /**
     * Reads the file. The site's id is the same for every read of the same path.
     *
     * @throws TroubleException with line and column if it is not understood
     */
    public Loaded read() throws TroubleException {
        String name = file.getFileName().toString();
        MemorySecrets secrets = new MemorySecrets("in memory, from " + name);
        String id = UUID.nameUUIDFromBytes(file.toString().getBytes(StandardCharsets.UTF_8)).toString();
        Json json = Json.parse(file.toString(), bytes());
        return new Loaded(new SiteReader(SiteForm.FILE, id, file.getParent(), secrets).read(json), secrets);
    }

    private byte[] bytes() throws TroubleException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            boolean missing = Files.notExists(file);
            throw new TroubleException(new Trouble(missing ? Trouble.Kind.MISSING : Trouble.Kind.UNREADABLE, file.toString(),
                    missing ? "there is no such site file"
                            : Files.isDirectory(file) ? "this is a folder, not a site file"
                            : "the site file cannot be read (" + FileProblem.of(e) + ")",
                    missing ? "Check the path, or name a saved site." : "Name a site file that your user may read."), e);
        }
    }

    /** Writes the site without its secrets, as a whole or not at all, for its owner only. */
    public void write(Site site) throws TroubleException {
        String text = new SiteWriter(SiteForm.FILE, file.getParent()).write(site);
        try {
            WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new TroubleException(new Trouble(Trouble.Kind.RIGHTS, file.toString(),
                    "the site file cannot be written (" + FileProblem.of(e) + ")",
                    "Choose a folder that exists and that your user may write to."), e);
        }
    }
}
