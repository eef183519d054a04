import { answerOf, type MusterClient } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'
import { isSameName } from './choose.ts'

/** Values of custom fields as the API takes them: the field is given by its name or its slot. */
export async function findFieldValues(client: MusterClient, values: readonly string[]): Promise<string[]> {
  if (values.length === 0) return []
  const fields = await answerOf(client.GET('/api/custom-field-configuration'))
  return values.map((text) => {
    const sign = text.indexOf('=')
    if (sign < 1) throw new UsageError('--field takes the name of a custom field, an equals sign and a value.')
    const name = text.slice(0, sign).trim()
    const field = fields.find(({ designation, slot }) => isSameName(designation, name) || isSameName(slot, name))
    if (!field) throw new CommandFailure(`No custom field has the name ${name}.`)
    return `${field.slot}=${text.slice(sign + 1)}`
  })
}
