/** What can go wrong with TLS before a request is sent, and what to do about it. */

export interface Cause {
  readonly message: string
  readonly code: string
  /** What was received instead of HTTP. */
  readonly received: string
}

const untrusted = "if you trust it, add its certificate, or that of its authority, to the file that " +
  "NODE_EXTRA_CA_CERTS names"
const expired = "renew the certificate, or check the date of this machine"
const otherName = "use the host name that the certificate is for"
const plain = "the port does not speak TLS: use http://, or the port for https://"
const handshake = "client and server could not agree on a TLS connection"

/** The advice for each code of Node and of those who use its names. */
const advice: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_REJECTED: untrusted,
  CERT_CHAIN_TOO_LONG: untrusted,
  INVALID_CA: untrusted,
  INVALID_PURPOSE: untrusted,
  PATH_LENGTH_EXCEEDED: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_REVOKED: "the certificate was revoked: do not send anything to this server",
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: expired,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
  HOSTNAME_MISMATCH: otherName,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
  ERR_SSL_HTTP_REQUEST: plain,
  ERR_SSL_UNSUPPORTED_PROTOCOL: handshake,
  ERR_SSL_NO_PROTOCOLS_AVAILABLE: handshake,
  ERR_SSL_NO_CIPHERS_AVAILABLE: handshake,
  ERR_SSL_DH_KEY_TOO_SMALL: handshake,
  ERR_SSL_EE_KEY_TOO_SMALL: handshake
}

/** Alerts with which a server ends a handshake. Others can also come later. */
const alert =
  /^ERR_SSL_(SSLV3|TLSV1|TLSV13)_(ALERT_(HANDSHAKE_FAILURE|PROTOCOL_VERSION|INSUFFICIENT_SECURITY|UNKNOWN_CA|ACCESS_DENIED|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN|REQUIRED)|NO_APPLICATION_PROTOCOL)|UNRECOGNIZED_NAME)$/

/** What is wrong, and what to do about it, if an error means that there is no TLS connection. */
export const explain = (causes: ReadonlyArray<Cause>): string | undefined => {
  for (const { code, message, received } of causes) {
    // OpenSSL's own message: `error:0A00010B:SSL routines:ssl3_get_record:wrong version number:…`. Node's `https` has no
    // other code for it than EPROTO.
    const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1]
    const name = code === "EPROTO" && reason !== undefined
      ? `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`
      : code
    const toDo = Object.hasOwn(advice, name) ? advice[name] : alert.test(name) ? handshake : undefined
    if (toDo !== undefined) return `${reason ?? message}: ${toDo}`
    // A TLS alert, in response to a request without TLS.
    if (received.startsWith("\x15\x03")) return "the server responded with a TLS alert: use https://"
  }
  return undefined
}
