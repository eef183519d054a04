import { Tabs } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { Loading } from './loading.tsx'

export type AddressTab = { id: string; label: string; content: () => ReactNode }

type AddressTabsProps = {
  /** The path before the name of the tab. */
  base: string
  /** The tab of the address; the first one if it names none. */
  tab: string | undefined
  tabs: readonly AddressTab[]
  label: string
  /** What of the query stays when the tab changes. */
  search?: string
}

/** Tabs whose choice is part of the address. Only the open one is rendered. */
export function AddressTabs({ base, tab, tabs, label, search = '' }: AddressTabsProps) {
  const navigate = useNavigate()
  const open = tabs.find(({ id }) => id === tab) ?? tabs[0]
  if (!open) return null
  const goTo = (id: string | null) => {
    if (id) void navigate(`${id === tabs[0]?.id ? base : `${base}/${id}`}${search}`, { preventScrollReset: true })
  }
  return (
    <Tabs value={open.id} onChange={goTo} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.id}>
        <Suspense fallback={<Loading height={160} />}>{open.content()}</Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
