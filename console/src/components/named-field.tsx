import { cloneElement, type ReactElement, use } from 'react'
import { FieldReasonsContext } from './field-reasons.ts'

type NamedFieldProps = {
  /** What the API calls the value: the name of a property, such as `folderPath`, or a path, such as `rings.0.percent`. */
  name: string
  children: ReactElement<{ name?: string; error?: unknown }>
}

/** A field that shows what the API says is wrong with its value. */
export function NamedField({ name, children }: NamedFieldProps) {
  const reason = use(FieldReasonsContext)?.reasonAt(name)
  return cloneElement(children, { name, ...(reason !== undefined && { error: reason }) })
}
