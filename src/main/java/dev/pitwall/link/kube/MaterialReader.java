package dev.pitwall.link.kube;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.Material;
import dev.pitwall.link.kube.Kubeconfig.Place;

/** Fetches what a kubeconfig embeds or points at. Embedded data wins over a file, as in kubectl. */
final class MaterialReader {
    private MaterialReader() {
    }

    /**
     * @param key the key in the kubeconfig, for example {@code client-key}, for messages
     * @return empty if neither data nor a file is given
     */
    static Optional<byte[]> read(Material material, String key, Place place) throws TroubleException {
        if (material.data().isPresent()) {
            return Optional.of(decode(material.data().get(), key, place));
        }
        if (material.file().isPresent()) {
            return Optional.of(file(place.resolve(material.file().get()), key, place));
        }
        return Optional.empty();
    }

    private static byte[] decode(String data, String key, Place place) throws TroubleException {
        try {
            return Base64.getDecoder().decode(data.replaceAll("\\s", ""));
        } catch (IllegalArgumentException notBase64) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, place.text(),
                    key + "-data is not base64", "Copy the kubeconfig again; that value was cut or changed."));
        }
    }

    static byte[] file(Path file, String key, Place place) throws TroubleException {
        try {
            return Files.readAllBytes(file);
        } catch (AccessDeniedException denied) {
            throw new TroubleException(KubeconfigFiles.unreadable(file), denied);
        } catch (IOException failed) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, place.text(),
                    key + " names the file " + HomePath.shorten(file) + ", which is not there",
                    "Copy that file too, or embed it with \"kubectl config view --flatten --raw\" where it works."),
                    failed);
        }
    }
}
