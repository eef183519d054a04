import { parseJson } from '../answers/parse-json.ts'
import { InvalidValue, instant, objectOf, type Reader, text } from '../answers/readers.ts'
import { maxReasonLength, maxWishLength, type UserRequest } from './messages.ts'

/** Users choose these texts, and they reach administrators. */
const singleLine = (maxLength: number) => text(maxLength, /^[^\p{Cc}\p{Zl}\p{Zp}]*\S[^\p{Cc}\p{Zl}\p{Zp}]*$/u)

const readers: { [V in UserRequest['verb']]: Reader<object> } = {
  view: () => ({}),
  icon: objectOf({ packageId: text(100) }),
  take: objectOf({ packageId: text(100) }),
  postpone: objectOf({ untilUtc: instant }),
  request: objectOf({ wish: singleLine(maxWishLength), reason: text(maxReasonLength, /^[^\0]*$/) }),
}

const verb = objectOf<{ verb: string }>({ verb: text(50) })

/** Reads a request. Throws InvalidValue for anything that is not one. */
export function readRequest(line: string): UserRequest {
  const value = parse(line)
  const { verb: name } = verb(value, '')
  if (!Object.hasOwn(readers, name)) throw new InvalidValue('verb', `one of ${Object.keys(readers).join(', ')}`)
  return { verb: name, ...readers[name as UserRequest['verb']](value, '') } as UserRequest
}

function parse(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    throw new InvalidValue('', 'JSON')
  }
}
