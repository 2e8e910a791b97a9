/** What can go wrong with TLS before a request is sent, and what to do about it. */

export interface Cause {
  readonly message: string
  readonly code: string
  /** What was received instead of HTTP. */
  readonly received: string
  /** Whether something may have been sent before. */
  readonly isSent: boolean
}

/** By code, as Node and those who use its names report it, what to do. */
const advice: ReadonlyArray<readonly [code: RegExp, text: string]> = [
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY)|^CERT_(UNTRUSTED|REJECTED|CHAIN|SIGNATURE)|^INVALID_(CA|PURPOSE)$/,
    "if you trust it, add its certificate, or its authority's, to the file in NODE_EXTRA_CA_CERTS; " +
    "if this machine trusts it, start Node with --use-system-ca"
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "renew the certificate, or check the date of this machine"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/, "use the host name that the certificate is for"],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    "the port does not speak TLS: use http://, or the port for https://"
  ],
  // Alerts with which a server ends a handshake, among others. Other alerts can also come later.
  [
    /^CERT_REVOKED$|^ERR_SSL_(UNSUPPORTED_PROTOCOL|NO_|[DE][HE]_KEY_TOO_SMALL|(SSLV3|TLSV13?)_(UNREC|ALERT_(HANDSHAKE|PROTOCOL|INSUFF|UNKNOWN_CA|ACCESS|BAD_CERT|UNSUPPORTED_CERT|CERT|NO_APP)))/,
    "client and server could not agree on a secure connection"
  ]
]

/** An empty list of names leaves a colon at the end. Newer versions of Node add advice, which the one here includes. */
const surplus = /: $|; if the root CA is installed locally.*$/

/** What is wrong, and what to do about it, if an error means that there is no TLS connection. */
export const explain = (causes: ReadonlyArray<Cause>): string | undefined => {
  for (const { code, message, received } of causes) {
    // OpenSSL's own message: `error:0A00010B:SSL routines:ssl3_get_record:wrong version number:…`. Node's `https` has no
    // other code for it than EPROTO.
    const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1]
    const name = code === "EPROTO" && reason !== undefined
      ? `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`
      : code
    const found = advice.find(([pattern]) => pattern.test(name))
    if (found !== undefined) return `${(reason ?? message).replace(surplus, "")}: ${found[1]}`
    // A TLS alert, in response to a request without TLS.
    if (received.startsWith("\x15\x03")) return "the server responded with a TLS alert: use https://"
  }
  return undefined
}
