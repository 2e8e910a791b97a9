/**
 * Metrics of requests and of walks. Each request, each walk and each of its pages also has a span, named after what it does
 * (`Contacts.list`, `Contacts.items`, `Contacts.page`); the page "Spans, attributes and metrics" of the documentation lists all of
 * them.
 *
 * Attributes are names, ids and counts: never payloads, headers or secrets.
 *
 * @since 1.0.0
 */
export * from "./http/Telemetry.ts"
export * from "./stream/Telemetry.ts"
