import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './filter-bar.module.css'

type FilterBarProps = { filters: { areSet: boolean; clear: () => void }; children: ReactNode }

export function FilterBar({ filters, children }: FilterBarProps) {
  const { common } = useTexts()
  return (
    <Group role="search" align="flex-end" gap="sm" className={classes.filters}>
      {children}
      {filters.areSet && (
        <Button variant="subtle" onClick={filters.clear}>
          {common.clearFilters}
        </Button>
      )}
    </Group>
  )
}
