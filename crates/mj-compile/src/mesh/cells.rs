//! Triangles in the cells of marching cubes.

/// Triangles in a cell whose corners inside have their bits set, x fastest: three edges each, counter-clockwise from
/// outside, as hexadecimal digits. Edges 0 to 3 are along x, 4 to 7 along y, 8 to 11 along z, each four in the order of
/// their lower ends. `-` marks a cell without triangles.
///
/// On a side with two corners inside, across from each other, each is cut off by itself: so neighbours agree. Polygons of more
/// than three edges can be divided in several ways; volumes depend on it, and this is the way of the meshes that MuJoCo makes.
const TRIANGLES: &str = "\
    - 048 509 495489 1a4 1801a8 1a4950 51a5a99a8 b15 5b1804 0b109b 14818bb89 a5ba45 05b0b88ba 40949aa9b 8ba89b 286 \
    062046 950628 295256654 41a286 a62a21120 0958621a4 61a621251295 28615b 604620b15 b09b10628 46162916919b \
    5a45ba286 2a625a5ba052 286a9ba49409 2a629a9ba 927 048792 250275 827874475 1a4279 1801a8792 250275a41 \
    827871175a81 b15279 0485b1279 7b1712210 48242112717b a5ba45279 7928ba80b05b ba7a407a0702 7827b8ba8 879867 \
    904947746 086065567 467475 7867981a4 79661a916901 a41567506086 a51a65675 87986715b 15b746794904 08606bb6710b \
    17b147467 4ba45b698679 670ba0a605b0790 ba06707b0860a40 67b6ba 36a a36048 36a095 94895436a 341364 680603301 \
    341364950 958836538513 36a5b1 15b48036a 0b109b6a3 6a3b89b18148 b36b65564 8368030b305b 6b360b09b406 6b368b89b \
    2a328a 4a3430032 a28a32509 34a394954293 841812213 013032 509213281841 529512132 2a328a5b1 b150320434a3 \
    38a32819b109 9b4324294a34b14 5b4428b24b32 b05b30320 3249b4b34094284 32939b 792a36 2796a3048 527502a36 \
    36a475487827 436413927 927301360680 164136075027 138758518278368 36a79215b 0486a379215b a362102717b1 \
    36ab17127142482 2795645b6b36 2798060360535b3 02b64b40b36b27b 6838b387b827 37939aa98 a04a30390379 8a0a370a7075 \
    34a374754 184178798371 937903013 758138378418508 137175 5b1a98a39379 15ba34304370790 8a7107087b17a37 \
    37a74a7147b1 4539838437935b3 9070370b305b 08437b 7b3 73b 0483b7 5093b7 4954893b7 b7341a 81a80173b 1a4b73095 \
    3b79a895a51a 173157 715731804 973930031 148187789317 3a4347745 80aa7307a057 a40a03309397 3973a9a89 286b73 \
    062046b73 2869503b7 b73654625295 3b7a41286 73b1201a2a62 1a48629503b7 3b762a21a291951 173157862 246204357315 \
    628031093973 469319149739629 8627457343a4 57a20a05a62a73a 2867393093a0a40 2969a693a973 3923b9 3923b9480 \
    b50b03302 54b482b42b23 93b92341a 0a801a2b923b 41a3023b0b50 235a858251a53b5 592521123 804123152592 031023 \
    814821231 3a4349945239 a852353a5925805 43a403023 23a2a8 63b6b88b9 63b6b00b9460 86383003b0b5 b63b56546 \
    1a48b986b63b 016b969063b61a6 1a450b03b083863 a616516b563b 985863583531 319469639049159 608630310 314346 \
    983453593a43863 3a6059 6383083403a4 3a6 6b76ab b6ab76048 6b76ab095 854895a76ab7 1b7174476 0680b6b761b0 \
    9504764171b7 891761681b71951 a15a56657 0486576a5a15 7696a1961910 7618919714816a1 476457 068056576 940974764 \
    897876 72878bb8a b7aa0470a720 095b8ab78728 ab25424a2952b72 4284121721b7 71b721201 0954181281b2b72 5191291721b7 \
    872817157a18 20a57a72a15a04a 1078a7a17287097 14a297 872847457 205257 842472497409 972 26a2a99ab 4809ab92a26a \
    26a2a55ab025 542ab2b526a2482 4166921961b9 b960161b6806926 64b02b26b50b41b 2681b5 6a1612215259 0489252152616a1 \
    a26a12102 a16126182148 259265645 058568526592 026064 268 8ab8b9 4904a9ab9 0b508b8ab ab5a54 1841b8b98 01b0b9 \
    1b4b84b08b50 b51 5a159a98a 4a0a90a59a15 10818a 14a 459498 590 084 -";

/// Triangles of each of the 256 kinds of cell, as edges.
pub(super) fn triangles() -> Vec<Vec<[u8; 3]>> {
    let digit = |b: &u8| char::from(*b).to_digit(16).map(|d| d as u8);
    let cell = |word: &str| {
        let edges: Vec<u8> = word.as_bytes().iter().filter_map(digit).collect();
        edges.as_chunks().0.to_vec()
    };
    TRIANGLES.split(' ').map(cell).collect()
}

/// Ends of an edge of a cell, by number.
pub(super) fn ends(edge: u8) -> [usize; 2] {
    let (axis, i) = (usize::from(edge / 4), usize::from(edge % 4));
    // The other two axes count the four.
    let low = match axis {
        0 => i << 1,
        1 => (i & 1) | (i & 2) << 1,
        _ => i,
    };
    [low, low | 1 << axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Triangles cut just the edges between inside and outside, and close up but for lines in the cell's sides, each of
    /// which cuts off one corner or divides the side in two.
    #[test]
    fn every_cell_is_cut_where_the_sign_changes() {
        let all = triangles();
        assert_eq!(all.len(), 256);
        for (inside, cell) in all.iter().enumerate() {
            let is_in = |corner: usize| inside >> corner & 1 == 1;
            let cut: HashSet<u8> =
                (0..12).filter(|&e| ends(e).map(is_in).iter().filter(|&&x| x).count() == 1).collect();
            assert_eq!(cell.iter().flatten().copied().collect::<HashSet<u8>>(), cut, "{inside}");
            let lines: HashSet<[u8; 2]> = cell.iter().flat_map(|t| (0..3).map(|k| [t[k], t[(k + 1) % 3]])).collect();
            assert_eq!(lines.len(), 3 * cell.len());
            for [a, b] in lines.iter().filter(|[a, b]| !lines.contains(&[*b, *a])) {
                let corners = [ends(*a), ends(*b)].concat();
                let side = (0..3).find(|&k| corners.iter().all(|c| c >> k & 1 == corners[0] >> k & 1));
                let axis = side.unwrap_or_else(|| panic!("{inside}: {a} {b} is in no side"));
                let of_side: Vec<usize> = (0..8).filter(|c| c >> axis & 1 == corners[0] >> axis & 1).collect();
                // Across from each other, corners inside are cut off one by one.
                let within: Vec<usize> = of_side.into_iter().filter(|&c| is_in(c)).collect();
                if within.len() == 2 && (within[0] ^ within[1]).count_ones() == 2 {
                    let shared = ends(*a).into_iter().find(|c| ends(*b).contains(c));
                    assert!(shared.is_some_and(is_in), "{inside}: {a} {b}");
                }
            }
        }
    }
}
