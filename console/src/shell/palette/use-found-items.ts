import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import {
  IconBandage,
  IconDeviceDesktop,
  IconPackage,
  IconRocket,
  IconSearch,
  IconShieldX,
  IconSitemap,
  IconUser,
  IconUsers,
} from '../../components/icons.ts'
import { usePaletteTexts } from '../../texts/palette-texts.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { useHasRole } from '../session-context.ts'
import type { PaletteItem } from './palette-item.ts'

type Found = Schemas['FoundInFleet']

const typingPauseMs = 120

/** A single letter is the beginning of another text. */
const minLength = 2

/** What the service finds, and whether it is still searching for this text. */
export function useFoundItems(typed: string) {
  const text = typed.trim()
  const [paused] = useDebouncedValue(text, typingPauseMs)
  const isSearchable = text.length >= minLength
  const query = useQuery({
    queryKey: ['search', paused],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/fleet/search', { params: { query: { search: paused, top: 5 } }, signal })),
    enabled: isSearchable && paused.length >= minLength,
    placeholderData: keepPreviousData,
  })
  const toItems = useToItems()
  const isCurrent = paused === text && !query.isPlaceholderData
  const items = isSearchable && query.data ? toItems(query.data) : []
  return {
    // Until the answer to this text arrives, those of the last one that still contain it are shown.
    items: isCurrent ? items : items.filter((item) => contains(item, text)),
    further: useFurther(isSearchable ? text : ''),
    isSearching: isSearchable && !query.error && (!isCurrent || query.isFetching),
    error: isSearchable ? query.error : null,
  }
}

const contains = ({ label, hint = '' }: PaletteItem, text: string) =>
  `${label} ${hint}`.toLowerCase().includes(text.toLowerCase())

/** Where the search continues: in the list of computers, and in their software. */
function useFurther(text: string): PaletteItem[] {
  const texts = usePaletteTexts()
  const mayRead = useHasRole('computer.read')
  if (!mayRead || text === '') return []
  const listed = new URLSearchParams({ search: text })
  const named = new URLSearchParams({ name: text })
  return [
    {
      ...{ id: 'further computers', group: 'actions', label: texts.allComputers(text), icon: IconSearch },
      to: `/computers?${listed}`,
    },
    {
      ...{ id: 'further software', group: 'actions', label: texts.whoHas(text), icon: IconSearch },
      to: `/software?${named}`,
    },
  ]
}

function useToItems(): (found: Found) => PaletteItem[] {
  const texts = usePaletteTexts()
  const { severities } = usePatchTexts()
  const rollouts = useRolloutTexts()
  return (found) => [
    ...(found.computers ?? []).map(
      ({ id, hostname, domain, operatingSystem, matchedBy, matchedText }): PaletteItem => ({
        ...{
          id: `computer ${id}`,
          group: 'computers',
          label: hostname,
          icon: IconDeviceDesktop,
          to: `/computers/${id}`,
        },
        hint:
          matchedBy === 'Name'
            ? [domain, operatingSystem].filter(Boolean).join(' · ')
            : texts.matchedBy[matchedBy](matchedText),
      }),
    ),
    ...(found.users ?? []).map(
      ({ name }): PaletteItem => ({
        ...{ id: `user ${name}`, group: 'users', label: name, icon: IconUser },
        to: `/computers?${new URLSearchParams({ search: name })}`,
      }),
    ),
    ...(found.groups ?? []).map(
      ({ groupId, name, path }): PaletteItem => ({
        ...{ id: `group ${groupId}`, group: 'groups', label: name, hint: path, icon: IconSitemap },
        to: `/groups/${groupId}`,
      }),
    ),
    ...(found.packages ?? []).map(
      ({ id, name, version, isOperational }): PaletteItem => ({
        ...{ id: `package ${id}`, group: 'packages', label: [name, version].filter(Boolean).join(' ') },
        ...{ icon: IconPackage, to: `/packages/${id}`, hint: isOperational ? undefined : texts.notReleased },
      }),
    ),
    ...(found.rollouts ?? []).map(
      ({ id, name, state }): PaletteItem => ({
        ...{
          id: `rollout ${id}`,
          group: 'rollouts',
          label: name,
          hint: rollouts.rollout.states[state],
          icon: IconRocket,
        },
        to: `/rollouts/${id}`,
      }),
    ),
    ...(found.cves ?? []).map(
      ({ cve, patchCount }): PaletteItem => ({
        ...{ id: `cve ${cve}`, group: 'cves', label: cve, hint: texts.patchCount(patchCount), icon: IconShieldX },
        to: `/patches?${new URLSearchParams({ search: cve })}`,
      }),
    ),
    ...(found.patches ?? []).map(
      ({ patchId, patchName, bulletinTitle, severity, missing }): PaletteItem => ({
        ...{ id: `patch ${patchId}`, group: 'patches', label: patchName, icon: IconBandage, to: `/patches/${patchId}` },
        hint: [bulletinTitle, severities[severity], texts.missing(missing)].filter(Boolean).join(' · '),
      }),
    ),
    ...(found.principals ?? []).map(
      ({ id, kind, name }): PaletteItem => ({
        ...{ id: `principal ${id}`, group: 'principals', label: name, icon: IconUsers },
        to: `/admin/principals/${kind === 'local' ? 'local' : 'provider'}/${id}`,
      }),
    ),
  ]
}
