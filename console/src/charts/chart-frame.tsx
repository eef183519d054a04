import { ActionIcon, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import { DataAge } from '../components/data-age.tsx'
import { IconChartBar, IconTable } from '../components/icons.ts'
import { useTexts } from '../texts/texts.tsx'
import classes from './charts.module.css'

export type ChartFrameProps = {
  title: string
  /** When the figures were counted. */
  atUtc?: string | undefined
  table: ReactNode
  children: ReactNode
}

/** The frame of all charts: title, age of the figures, and a button that replaces the drawing with a table. */
export function ChartFrame({ title, atUtc, table, children }: ChartFrameProps) {
  const texts = useTexts().charts
  const titleId = useId()
  const [isTable, shown] = useDisclosure()
  const label = isTable ? texts.showChart : texts.showTable
  const Icon = isTable ? IconChartBar : IconTable
  return (
    <figure className={classes.chart} aria-labelledby={titleId}>
      <figcaption className={classes.caption}>
        <div>
          <div className={classes.title} id={titleId}>
            {title}
          </div>
          {atUtc && <DataAge atUtc={atUtc} />}
        </div>
        <Tooltip label={label} openDelay={300}>
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={`${label}: ${title}`} onClick={shown.toggle}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </figcaption>
      {isTable ? table : children}
    </figure>
  )
}
