import styles from './doorway.module.css';

const ARCHES = 8;

/** Nested arches, each further inside and lower, with light at the end. */
const arches = Array.from({ length: ARCHES }, (_, step) => {
  const left = 26 + 23 * step;
  const right = 460 - left;
  const top = 30 + 31 * step;
  const radius = (right - left) / 2;
  return `M${left} 600V${top + radius}a${radius} ${radius} 0 0 1 ${right - left} 0V600`;
});

export function Doorway() {
  return (
    <svg className={styles.doorway} viewBox="0 0 460 560" aria-hidden="true">
      <defs>
        <linearGradient id="door-wall" x2="0" y2="1">
          <stop stopColor="#1d4a49" />
          <stop offset="1" stopColor="#0c2b2d" />
        </linearGradient>
        <radialGradient id="door-light" gradientUnits="userSpaceOnUse" cx="230" cy="400" r="360">
          <stop stopColor="#f3d68f" stopOpacity=".26" />
          <stop offset=".45" stopColor="#a9c48b" stopOpacity=".15" />
          <stop offset="1" stopColor="#5fa697" stopOpacity=".05" />
        </radialGradient>
        <linearGradient id="door-edge" x2="0" y2="1">
          <stop stopColor="#eef6df" stopOpacity=".3" />
          <stop offset=".85" stopColor="#eef6df" stopOpacity="0" />
        </linearGradient>
        <linearGradient id="door-dusk" x2="0" y2="1">
          <stop offset=".62" stopColor="#03171a" stopOpacity="0" />
          <stop offset="1" stopColor="#03171a" stopOpacity=".7" />
        </linearGradient>
      </defs>
      <path fill="url(#door-wall)" d="M0 560V230a230 230 0 0 1 460 0v330z" />
      <g fill="url(#door-light)" stroke="url(#door-edge)">
        {arches.map((d) => (
          <path key={d} d={d} />
        ))}
      </g>
      <path fill="url(#door-dusk)" d="M0 560V230a230 230 0 0 1 460 0v330z" />
    </svg>
  );
}
