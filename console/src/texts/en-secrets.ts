/** Texts about the secrets of local principals. */
export const enSecrets = {
  title: 'Secrets',
  create: 'New secret',
  submit: 'Create secret',
  overlap: 'Previous secrets stay valid',
  overlapHint: 'Change the program over to the new secret in this time.',
  overlaps: { day: 'for 24 hours', days7: 'for 7 days', days30: 'for 30 days', none: 'no longer: end them at once' },
  createdAt: (at: string) => `Created ${at}`,
  lastUsed: (at: string) => `Last used: ${at}`,
  endsAt: (at: string) => `Valid until ${at}`,
  deleteLabel: (created: string) => `Delete the secret created ${created}`,
  deleteTitle: 'Delete this secret?',
  deleteText: (created: string, lastUsed: string) =>
    `The secret created ${created} (last used: ${lastUsed}) is rejected at once, and the sessions of this principal end. Tokens that were issued already stay valid until they expire.`,
  deleted: 'Secret deleted',
  storeTitle: 'Store this secret now',
  storeWarning: 'It is shown only once and cannot be retrieved later. Copy it to a safe place before you continue.',
  secret: 'Client secret',
  metricsToken: 'Metrics token',
  stored: 'I have stored the secret',
}
