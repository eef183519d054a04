import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'

export type CustomField = { slot: string; designation: string }

/** The active custom fields. They are read when somebody needs their names. */
export function useCustomFields(isWanted: boolean): readonly CustomField[] | undefined {
  const { data } = useQuery({
    queryKey: ['custom-fields'],
    queryFn: () => answerOf(api.GET('/api/custom-field-configuration')),
    enabled: isWanted,
  })
  return data?.filter(({ isActive }) => isActive).sort((one, other) => one.position - other.position)
}

/** The field and the value that a value of the filter `customField` names. */
export function fieldOf(filter: string, fields: readonly CustomField[] | undefined) {
  const sign = filter.indexOf('=')
  const slot = filter.slice(0, sign)
  const designation = fields?.find((field) => field.slot === slot)?.designation ?? slot
  return { slot, designation, value: filter.slice(sign + 1) }
}
