import { closed, nullable, Type, text } from '../../../platform/schema.ts'

/** A criterion that the value must contain, ignoring case. */
export const containedText = (example: string, description?: string) =>
  Type.Optional(nullable(text(255, example, description)))

/** The body of a search by parts of texts. */
export const searchFilter = <P extends Parameters<typeof closed>[0]>(title: string, properties: P) =>
  closed(properties, {
    title,
    description:
      'All criteria must match. Each matches values that contain it, ignoring case. A criterion that is null or empty ' +
      'is ignored.',
  })
