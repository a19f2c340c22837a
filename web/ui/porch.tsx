import type { ReactNode } from 'react';
import styles from './porch.module.css';

/** Nine arches, each a step further in and a little to the right, as seen from the street. */
const arches = Array.from({ length: 9 }, (_, step) => {
  const left = 84 + 35 * step;
  const right = 642 - 23 * step;
  const top = 168 + 34 * step;
  const radius = (right - left) / 2;
  return `M${left} 920V${top + radius}A${radius} ${radius} 0 0 1 ${right} ${top + radius}V920`;
});

/** The porch picture beside the public pages, with an optional sentence in its foot. */
export function Porch({ children }: { children?: ReactNode }) {
  return (
    <aside className={styles.porch}>
      <svg viewBox="0 0 724 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <defs>
          <radialGradient id="porch-light" gradientUnits="userSpaceOnUse" cx="412" cy="520" r="500">
            <stop stopColor="#f0cd7c" stopOpacity=".17" />
            <stop offset=".4" stopColor="#a8c184" stopOpacity=".13" />
            <stop offset="1" stopColor="#5fa697" stopOpacity=".03" />
          </radialGradient>
          <linearGradient id="porch-edge" x2="0" y2="1">
            <stop stopColor="#e9f3d8" stopOpacity=".17" />
            <stop offset=".8" stopColor="#e9f3d8" stopOpacity="0" />
          </linearGradient>
          <linearGradient id="porch-dusk" x2="0" y2="1">
            <stop offset=".45" stopColor="#03171a" stopOpacity="0" />
            <stop offset="1" stopColor="#03171a" stopOpacity=".93" />
          </linearGradient>
        </defs>
        <g fill="url(#porch-light)" stroke="url(#porch-edge)">
          {arches.map((d) => (
            <path key={d} d={d} />
          ))}
        </g>
        <path fill="url(#porch-dusk)" d="M-800 0h2400v900H-800z" />
      </svg>
      {children && <div className={styles.words}>{children}</div>}
    </aside>
  );
}
