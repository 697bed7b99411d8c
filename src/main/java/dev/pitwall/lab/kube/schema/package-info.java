/**
 * What the API server knows of the shape of objects: the built-in types from {@code lab/kube/types.txt}, those of custom
 * resources from their definitions. Decoding, unknown fields, patches, field ownership and OpenAPI all read it here.
 */
package dev.pitwall.lab.kube.schema;
