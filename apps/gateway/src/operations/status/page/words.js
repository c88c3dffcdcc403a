/** Numbers and times as people read them. */

export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

export function number(value) {
  return value.toLocaleString('en-US');
}

export function clock(ms, withSeconds = true) {
  const at = new Date(ms);
  const parts = [at.getHours(), at.getMinutes(), ...(withSeconds ? [at.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}
