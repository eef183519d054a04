const minLength = 12
const recommendedLength = 32
const minDifferentCharacters = 5

const wellKnownSecrets = [
  ...['admin', 'administrator', 'bootstrap', 'changeit', 'changeme', 'default', 'demo', 'example', 'letmein', 'muster'],
  ...[
    'pass',
    'passphrase',
    'passwd',
    'password',
    'qwerty',
    'qwertyuiop',
    'root',
    'secret',
    'test',
    'topsecret',
    'welcome',
  ],
]

const digits = '0123456789'.repeat(10)

export type SecretWeakness = {
  reason: string
  /** Whether others would guess the secret soon. Otherwise it is only shorter than recommended. */
  isGuessable: boolean
}

/** Finds out why a secret that a person has chosen is weak. Undefined if it is not. */
export function findSecretWeakness(secret: string, clientId: string | undefined): SecretWeakness | undefined {
  const reason = findGuessableReason(secret, clientId)
  if (reason) return { reason, isGuessable: true }
  if (secret.length < recommendedLength)
    return { reason: `it has fewer than ${recommendedLength} characters`, isGuessable: false }
  return undefined
}

function findGuessableReason(secret: string, clientId: string | undefined): string | undefined {
  if (secret.length < minLength) return `it has fewer than ${minLength} characters`
  if (new Set(secret).size < minDifferentCharacters)
    return `it has fewer than ${minDifferentCharacters} different characters`
  if (secret.toLowerCase() === clientId?.toLowerCase()) return 'it is the client ID'
  if (digits.includes(secret)) return 'it counts upwards'
  if (isWellKnown(secret)) return 'it is a well-known word, repeated or with digits and signs around it'
  return undefined
}

function isWellKnown(secret: string): boolean {
  const letters = secret
    .toLowerCase()
    .replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    .replaceAll('0', 'o')
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/[^a-z]/g, '')
  return letters !== '' && wellKnownSecrets.some((word) => letters.replaceAll(word, '') === '')
}
